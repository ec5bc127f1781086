// The jobs of a store in the page, on a real ClickHouse: the list, the ranks of one, the way into a rank, SQL; and what
// the page says while the store is away. Skipped where there is no clickhouse-server.
import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { axe, findFaults } from "./axe";
import { eventually, findBinary, pathOfSaved, testPage } from "./harness";

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

  /** Until a query with that in its text is being answered. */
  async waitForQuery(text: string): Promise<void> {
    const sql = `SELECT count() FROM system.processes WHERE query LIKE '%${text}%' AND query NOT LIKE '%processes%'`;
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${this.port}/?query=${encodeURIComponent(sql)}`);
      if (Number(await answer.text()) > 0) return;
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
    await eventually(async () => assert.match(await ranks.locator("tbody tr").first().innerText(), /^2\s[^]*\+100/));
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
    await eventually(async () => assert.match(await kernels.locator("tbody tr").first().innerText(), /\+100/));
    // The words of the filter stay from table to table, and in the URL.
    await page.keyboard.press("/");
    await page.keyboard.type("KERNEL_1");
    await kernels.getByText("kernel_0").waitFor({ state: "detached" });
    await page.getByText(/^1 of \d+ kernels over all ranks/).waitFor();
    await page.waitForFunction(() => location.hash.includes("jobfind=KERNEL_1"));
    await parts.getByRole("button", { name: "Compare" }).click();
    const both = page.getByRole("table", { name: "Kernels of both jobs" });
    await both.getByText("kernel_1").waitFor();
    await eventually(async () => assert.equal(await both.locator("tbody tr").count(), 1));
    await page.getByRole("textbox", { name: "Filter kernels" }).fill("no such");
    await page.getByText("Nothing holds all these words.").waitFor();
    await page.getByRole("button", { name: "All jobs" }).click();
    const jobs = page.getByRole("table", { name: "Jobs" });
    await jobs.getByText("it's B").waitFor();
    await page.getByRole("textbox", { name: "Filter jobs" }).fill("b it");
    await jobs.getByText("job A").waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "1 of 2 jobs" }).waitFor();
    await jobs.getByText("it's B").click();
    await parts.getByRole("button", { name: "Ranks" }).click();
    await page.getByRole("textbox", { name: "Filter ranks" }).fill("trace_1");
    const ranks = page.getByRole("table", { name: "Ranks" });
    await ranks.getByText("trace_0").waitFor({ state: "detached" });
    await eventually(async () => assert.equal(await ranks.locator("tbody tr").count(), 1));
    await parts.getByRole("button", { name: "SQL" }).click();
    await page
      .getByRole("textbox", { name: "Query" })
      .fill("SELECT job, count() AS n FROM slice GROUP BY job ORDER BY n");
    await page.keyboard.press("Control+Enter");
    const answer = page.getByRole("table", { name: "Result" });
    await answer.getByText("it's B").waitFor();
    await page.waitForFunction(() => location.hash.includes("jobsql="));
    await page.reload();
    await answer.getByText("it's B").waitFor();
    await page.getByRole("textbox", { name: "Query" }).fill("DROP TABLE slice");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("alert").getByText("readonly").waitFor();
  });

  const onSql = { ...options, fragment: "&view=fleet&job=job+A&jobpart=sql" };

  testPage(
    "SQL of a store is completed, asked the questions, taken away, and leads to a rank",
    onSql,
    async ({ page }) => {
      const editor = page.getByRole("textbox", { name: "Query" });
      await page.getByRole("button", { name: "Where does each stream wait longest?" }).click();
      const rows = page.getByRole("table", { name: "Result" }).locator("tbody tr");
      await rows.first().waitFor();
      await eventually(async () => assert.match(await editor.inputValue(), /job = 'job A'/));
      await eventually(async () => assert.equal(await rows.count(), 20));

      await editor.click();
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText("SELECT rank, ts, dur, name FROM sli");
      await page.keyboard.type("c");
      await page.getByRole("option", { name: "slice" }).waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.insertText(" s WHERE s.is_er");
      await page.keyboard.type("r");
      await page.getByRole("option", { name: "is_error" }).waitFor();
      await page.keyboard.press("Tab");
      await eventually(async () =>
        assert.equal(await editor.inputValue(), "SELECT rank, ts, dur, name FROM slice s WHERE s.is_error"),
      );
      await page.keyboard.insertText(" = 0 AND job = 'job A' AND rank = 2 AND name = 'kernel_1' ORDER BY ts LIMIT 2");
      await page.keyboard.press("Control+Enter");
      await page.waitForFunction(() => location.hash.includes("kernel_1"));
      await rows.first().getByText("kernel_1").waitFor();
      await page.getByRole("button", { name: "Export" }).click();
      const saving = page.waitForEvent("download");
      await page.getByRole("button", { name: "Save all rows as TSV" }).click();
      const text = await readFile(await pathOfSaved(await saving), "utf8");
      assert.match(text, /^rank\tts\tdur\tname\n2\t\d+\t80000\tkernel_1\n2\t/);

      await rows.nth(1).getByRole("button", { name: "Go to rank 2 on the timeline, then" }).click();
      await page.waitForFunction(() => location.hash.includes("view=timeline") && location.hash.includes("time="));
      await page.waitForFunction(() => document.querySelector(".capture-name")?.textContent?.includes("rank 2"));
      // The second step's, one millisecond after the first's.
      const time = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("time")!;
      const [from = 0, to = 0] = time.split("..").map(Number);
      assert.ok(from < 1_100_000 && 1_180_000 < to, time);
      await page.goBack();
      await rows.first().getByText("kernel_1").waitFor();
    },
  );

  testPage(
    "a store that is killed while it answers is said, and the query asked again",
    onSql,
    async ({ page, expected }) => {
      expected.push(/503/);
      // No sleep may be longer, and one that is asked for twice is slept once.
      const query = "SELECT 'said' AS word, (SELECT sleep(3)) + (SELECT sleep(2.9)) + (SELECT sleep(2.8)) AS n";
      await page.getByRole("textbox", { name: "Query" }).fill(query);
      await page.keyboard.press("Control+Enter");
      await store.waitForQuery("sleep(2.8)");
      await store.stop();
      const alert = page.getByRole("alert");
      await alert.getByText(/the store left/).waitFor();
      await alert.getByText(/is asked again, once, when the store is back/).waitFor();
      await eventually(async () =>
        assert.equal(await page.getByRole("textbox", { name: "Query" }).inputValue(), query),
      );
      await store.start();
      await page.getByRole("table", { name: "Result" }).getByText("said").waitFor();
      await eventually(async () => assert.equal(await alert.count(), 0));
    },
  );

  for (const theme of ["dark", "light"] as const) {
    const themed = { ...options, context: { colorScheme: theme } };
    testPage(`axe finds nothing wrong in the jobs of a store, ${theme}`, themed, async ({ page }) => {
      await page.evaluate(axe);
      const look = async (what: string) => assert.deepEqual(await findFaults(page), [], what);
      const jobs = page.getByRole("table", { name: "Jobs" });
      await jobs.getByText("job A").waitFor();
      await look("the jobs");
      await jobs.getByText("job A").click();
      await page.getByRole("table", { name: "Ranks" }).getByText("trace_2").click();
      await look("the ranks");
      const parts = page.getByRole("group", { name: "Parts" });
      await parts.getByRole("button", { name: "Kernels" }).click();
      await page.getByRole("table", { name: "Kernels of all ranks" }).waitFor();
      await look("the kernels");
      await parts.getByRole("button", { name: "Compare" }).click();
      await page.getByRole("table", { name: "Kernels of both jobs" }).waitFor();
      await look("two jobs");
      await parts.getByRole("button", { name: "SQL" }).click();
      await page.getByRole("button", { name: "Which kernels take the most time?" }).click();
      await page.getByRole("table", { name: "Result" }).waitFor();
      await look("SQL");
    });
  }

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
