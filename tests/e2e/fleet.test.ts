// The jobs of a store in the page, on a real ClickHouse: the list, the ranks of one, the way into a rank, SQL; and what
// the page says while the store is away. Skipped where there is no clickhouse-server.
import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { findBinary, testPage } from "./harness";

const kProgram = ["/usr/sbin/clickhouse-server", "/usr/bin/clickhouse-server"].find((path) => existsSync(path));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** A trace of PyTorch's with steps and kernels, of which rank 2's are slower. */
function traceOf(rank: number): string {
  const traceEvents = [];
  const slowness = rank === 2 ? 2 : 1;
  for (let step = 0; step < 5; step++) {
    const ts = step * 1000;
    traceEvents.push({
      ph: "X",
      pid: 100,
      cat: "user_annotation",
      name: `ProfilerStep#${step}`,
      tid: 1,
      ts,
      dur: 400 * slowness,
    });
    for (let i = 0; i < 3; i++)
      traceEvents.push({
        ph: "X",
        pid: 0,
        cat: "kernel",
        name: `kernel_${i}`,
        tid: 7,
        ts: ts + 100 * i,
        dur: 40 * slowness,
        args: { device: 0, stream: 7 },
      });
  }
  return JSON.stringify({ distributedInfo: { rank, world_size: 4 }, traceEvents });
}

class ScratchStore {
  folder = "";
  port = 0;
  url = "";
  private process: ChildProcess | null = null;

  async make(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), "vizd-store-"));
    this.port = await freePort();
    this.url = `http://127.0.0.1:${this.port}/fleet`;
    const [native, replicas] = [await freePort(), await freePort()];
    for (const name of ["data", "tmp", "files"]) await mkdir(join(this.folder, name));
    await writeFile(
      join(this.folder, "users.xml"),
      "<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default><password></password>" +
        "<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>",
    );
    await writeFile(
      join(this.folder, "config.xml"),
      `<yandex><logger><level>warning</level><log>${this.folder}/log</log><errorlog>${this.folder}/errors</errorlog></logger>` +
        `<http_port>${this.port}</http_port><tcp_port>${native}</tcp_port>` +
        `<interserver_http_port>${replicas}</interserver_http_port><listen_host>127.0.0.1</listen_host>` +
        `<path>${this.folder}/data/</path><tmp_path>${this.folder}/tmp/</tmp_path>` +
        `<user_files_path>${this.folder}/files/</user_files_path><users_config>${this.folder}/users.xml</users_config>` +
        "<default_profile>default</default_profile><default_database>default</default_database>" +
        "<mark_cache_size>268435456</mark_cache_size><uncompressed_cache_size>1000000</uncompressed_cache_size></yandex>",
    );
    await this.start();
  }

  async start(): Promise<void> {
    this.process = spawn(kProgram!, [`--config-file=${this.folder}/config.xml`], { stdio: "ignore" });
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${this.port}/?query=SELECT+1`).catch(() => null);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async stop(): Promise<void> {
    const process = this.process!;
    this.process = null;
    process.kill("SIGKILL");
    await once(process, "exit");
  }

  async remove(): Promise<void> {
    if (this.process !== null) await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

if (kProgram === undefined) {
  test("skipped: there is no clickhouse-server here; scripts/install test installs it", { skip: true }, () => {});
} else {
  const store = new ScratchStore();
  before(async () => {
    await store.make();
    const files: string[] = [];
    for (let rank = 0; rank < 4; rank++) {
      files.push(join(store.folder, `trace_${rank}.json`));
      await writeFile(files[rank]!, traceOf(rank));
    }
    for (const [job, count] of [
      ["job A", 4],
      ["it's B", 2],
    ] as const) {
      const pushed = spawnSync(findBinary(), ["push", ...files.slice(0, count), "--store", store.url, "--job", job]);
      assert.equal(pushed.status, 0, pushed.stderr.toString());
    }
  });
  after(() => store.remove());
  const options = { args: () => ["--store", store.url], fragment: "&view=fleet" };

  testPage("a store's jobs are listed, and one leads to its ranks and to one of them", options, async ({ page }) => {
    const jobs = page.getByRole("table", { name: "Jobs" });
    await jobs.getByText("it's B").waitFor();
    await jobs.getByText("job A").click();
    await page.waitForFunction(() => location.hash.includes("job=job+A"));
    // The slow rank comes first, by its steps.
    const ranks = page.getByRole("table", { name: "Ranks" });
    await ranks.getByText("trace_2").waitFor();
    assert.match(await ranks.locator("tbody tr").first().innerText(), /^2\s[^]*\+100/);
    await page.getByRole("img", { name: "Steps of each rank, against the median of the step" }).waitFor();
    await ranks.getByText("trace_2").click();
    await page.waitForFunction(() => location.hash.includes("jobrank=2"));

    await page.getByRole("button", { name: "Open rank 2" }).click();
    await page.waitForFunction(() => location.hash.includes("view=timeline"));
    await page.waitForFunction(() => document.querySelector(".capture-name")?.textContent?.includes("rank 2"));
    await page.goBack();
    await ranks.getByText("trace_2").waitFor();
  });

  testPage("kernels, another job and SQL are parts of a job, in the URL", options, async ({ page, expected }) => {
    expected.push(/400/);
    await page.getByRole("table", { name: "Jobs" }).getByText("job A").click();
    const parts = page.getByRole("group", { name: "Parts" });
    await parts.getByRole("button", { name: "Kernels" }).click();
    const kernels = page.getByRole("table", { name: "Kernels of all ranks" });
    await kernels.getByText("kernel_0").waitFor();
    assert.match(await kernels.locator("tbody tr").first().innerText(), /\+100/);
    await parts.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("table", { name: "Kernels of both jobs" }).getByText("kernel_1").waitFor();
    await parts.getByRole("button", { name: "SQL" }).click();
    await page
      .getByRole("textbox", { name: "Query" })
      .fill("SELECT job, count() AS n FROM slice GROUP BY job ORDER BY n");
    await page.keyboard.press("Control+Enter");
    const answer = page.getByRole("table", { name: "Answer" });
    await answer.getByText("it's B").waitFor();
    await page.waitForFunction(() => location.hash.includes("jobsql="));
    await page.reload();
    await answer.getByText("it's B").waitFor();
    await page.getByRole("textbox", { name: "Query" }).fill("DROP TABLE slice");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("alert").getByText("readonly").waitFor();
  });

  testPage("a store that goes away is said, and comes back by itself", options, async ({ page, expected }) => {
    expected.push(/503/);
    await page.getByRole("table", { name: "Jobs" }).getByText("job A").waitFor();
    await store.stop();
    await page.reload();
    await page.getByText("The store does not answer").waitFor();
    await store.start();
    await page.getByRole("table", { name: "Jobs" }).getByText("job A").waitFor();
  });
}
