arch=6
tpu_freq=1000
max_record_num=4096
core0_tiu_record=6
core0_gdma_record=7
core0_sdma_record=3
