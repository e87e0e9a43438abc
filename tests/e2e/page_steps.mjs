/* The steps of page.mjs that look at what is known beside runs and experiments: verdicts, kernels, chips,
 * diagnoses, techniques, lessons, comparisons, and what the leaderboard shows of ties and proof. Each
 * gets { page, base, shot } and fails on what a person would miss. The facts are those of
 * tests/fixtures/walkthrough and tests/fixtures/page. */
import assert from "node:assert/strict";

const KERNEL = "01M7ZS70X0D4HXT6Y08R085HEN";
const TWO_CHANGES = "01M7ZS70X09HJRSCWAR1W4EQX3";
const RETRACTED = "01M7ZS70X0AAVAPK6HJ7H66CD1";
const V1 = "01M7ZS70X0QVN0DFBJFW6ENZ81";
const V2 = "01M7ZS70X0YRDDTBX73SSF2T4Y";
const RUN_V2 = "01M7ZS70X0AH3235GB90DAS6RJ";
const RUN_COLLECTED = "01M806KFFVY8W2AZZ5ME6XJP2D";
const LESSON = "01M7ZSPAGE0000000000000008";

const has = (text, ...parts) => {
  for (const part of parts) assert.ok(text.includes(part), `the page does not say "${part}"`);
};

export async function judgesAnExperiment({ page, base, shot }) {
  await page.goto(`${base}/experiments/${TWO_CHANGES}`);
  const rules = page.locator("section.rules");
  await rules.getByText("Several techniques were changed at once").waitFor();
  has(await rules.innerText(), "one variable");
  const claims = page.locator("section.judgements tbody tr");
  assert.equal(await claims.count(), 3, "each expectation is judged");
  has(await claims.nth(1).innerText(), "confirmed", "up, at least 78", "70.62 → 81.32");
  const decision = await page.locator("section.decision").innerText();
  has(decision, "accept", "execution time < 0.071 ms");
  const techniques = page.locator("section.technique-verdicts");
  has(await techniques.innerText(), "ineffective", "as fast without it", "0.7 %", "11.5 %", "not checked", "residual");
  assert.ok((await techniques.locator("a[href^='/compare/']").count()) === 2, "each ablation can be compared");
  await page.locator(".campaign a", { hasText: "softmax-h200" }).waitFor();
  await shot("experiment-judged");
  await page.goto(`${base}/experiments/${RETRACTED}`);
  await page.locator(".decisions").waitFor();
  has(await page.locator(".decisions").innerText(), "Retracted", "ana", "the clock was locked lower");
}

export async function tellsAKernelsHistory({ page, base, shot }) {
  await page.goto(`${base}/experiments/${TWO_CHANGES}`);
  await page.locator(`a[href='/kernel/${KERNEL}']`).first().click();
  await page.waitForURL(`**/kernel/${KERNEL}`);
  const rows = page.locator("table.history-table tbody tr");
  await rows.first().waitFor();
  assert.equal(await rows.count(), 7, "every version has a row");
  has(await rows.nth(2).innerText(), "v2", "69.2", "1.16×", "1.12×", "win", "memory.vectorized_access");
  await rows.nth(2).locator(".use .mark", { hasText: "contributed: no" }).waitFor({ state: "attached" });
  await rows.nth(2).locator(".use .mark", { hasText: "contributed: yes" }).waitFor({ state: "attached" });
  assert.equal(await page.locator(".lineage .version-node").count(), 7, "the tree has every version");
  const dashes = await page.$$eval(".lineage-scroll path.edge", (paths) => paths.map((path) => path.getAttribute("stroke-dasharray") ?? "solid"));
  assert.equal(new Set(dashes).size, 3, `derived, ablation and restart edges look alike: ${dashes}`);
  await page.waitForFunction(() => document.querySelectorAll(".version-times circle").length >= 7 * 60);
  has(await page.locator(".drift").innerText(), "v0", "v4");
  has(await page.locator(".directions").innerText(), "streaming stores");
  has(await page.locator(".campaign").innerText(), "softmax-h200", "4 of 4 experiments arrived");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ""), /^v1/, "j walks the versions");
  await page.locator("details.brief summary").click();
  await page.locator("details.brief li").first().waitFor();
  has(await page.locator("details.brief").innerText(), "Best version", "Try next", "Check");
  await shot("kernel");
}

export async function citesAChipsNumbers({ page, base, shot }) {
  await page.goto(`${base}/chips`);
  await page.locator("tbody tr", { hasText: "mi355x" }).getByRole("link", { name: "mi355x" }).click();
  await page.waitForURL("**/chip/mi355x");
  await page.locator(".in-force code", { hasText: "compute_units: 256 count <- sheets/mi355x.md:6" }).waitFor();
  has(await page.locator(".unknown").innerText(), "l2_bytes: UNKNOWN", "no source", "the sheet points elsewhere");
  const dispute = page.locator(".dispute", { hasText: "hbm_bandwidth" });
  has(await dispute.innerText(), "8", "6.4", "sheets/mi355x.md:5", "sheets/other.md:3", "No value is selected");
  assert.equal(await page.locator(".in-force code", { hasText: "hbm_bandwidth" }).count(), 0, "a disputed number is in force");
  const settled = page.locator(".dispute", { hasText: "l3_bytes" });
  await settled.getByText("Chosen by ana").waitFor();
  has(await settled.innerText(), "settled", "256 MB", "32 MB", "the vendor's own sheet");
  assert.equal(await page.locator(".in-force code", { hasText: "l3_bytes: 256 MB" }).count(), 1, "the chosen number is not in force");
  await shot("chip");
}

export async function diagnosesARun({ page, base, shot }) {
  await page.goto(`${base}/runs/${RUN_V2}`);
  const sets = page.locator(".rule-set");
  await sets.first().waitFor();
  assert.ok((await sets.count()) >= 4, "rule sets stand side by side");
  const text = await page.locator(".diagnosis").innerText();
  has(text, "speed-of-light", "ncu-patterns", "roofline-gaps", "memory", "not evaluated", "A roofline cannot show");
  const strengths = await page.$$eval(".triggers tbody tr td:first-child", (cells) => cells.map((cell) => Number(cell.textContent)));
  assert.ok(strengths.length > 2, "triggered techniques are listed");
  assert.deepEqual(strengths, [...strengths].sort((a, b) => b - a), "strongest first");
  await page.locator(".diagnosis summary").first().click();
  await shot("run");
}

/* What `warplore run` recorded: what was lost and what looks odd stand before the numbers. */
export async function showsACollectedRun({ page, base, shot }) {
  await page.goto(`${base}/runs/${RUN_COLLECTED}`);
  const care = page.locator("section.bad-line");
  await care.waitFor();
  has(await care.innerText(), "A script simulated the GPU", "12 launches were dropped by the vendor's library", "2 records had no usable times", "its last launches may be missing", "times rose by");
  has(await page.locator(".numbers").innerText(), "First, not counted", "485", "59 samples");
  has(await page.locator("article").innerText(), "incorrect", "row 17 differs by 0.5", "4 metrics without a value: counter unsupported", "33,554,432", "1,980\u202fMHz", "8,192\u202fB", "3×, 50,331,648 B", "Sent by");
  await page.getByText("580.159.04").waitFor(); /* the machine is asked for on its own */
  await shot("run-collected");
}

/* The profile of a PyTorch program with two processes, as an H100 gave it. */
export async function saysWhereTheTimeOfAProgramWent({ page, base, shot }) {
  await page.goto(`${base}/profiles`);
  const rows = page.locator("main table tbody tr");
  await rows.first().waitFor();
  assert.equal(await rows.count(), 2);
  await shot("profiles");
  await page.getByRole("link", { name: "train.py" }).click();
  await page.waitForURL(/\/profiles\/[0-9A-Z]{26}$/);
  const id = new URL(page.url()).pathname.split("/")[2];
  const lines = page.locator("table.profile-lines tbody tr[data-row]");
  await lines.first().waitFor();
  assert.equal(await lines.count(), 20, "the first screen has the longest kernels");
  has(await lines.first().innerText(), "18.1", "sdpa_sm90_flash_bprop");
  has(await page.locator("article").innerText(), "671\u202fms", "18,120", "No kernel ran in 91.1", "NVIDIA H100 80GB HBM3 #0", "more kernels", "host to device");
  await page.getByRole("button", { name: "Launch shapes of line 2", exact: true }).click();
  const shapes = page.locator("tr.details");
  has(await shapes.innerText(), "2.1", "2.2", `warplore adopt ${id} 2.1 --operator`, "Registers");
  assert.equal(new URL(page.url()).searchParams.get("open"), "2", "an unfolded line is in the address");
  await shot("profile");
  await page.setViewportSize({ width: 900, height: 800 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "900 px is wide enough");
  await shot("profile-narrow");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Show them" }).click();
  await page.waitForFunction(() => document.querySelectorAll("table.profile-lines tbody tr[data-row]").length === 34);
}

/* Kernels that nobody classified are counted under the board and shown when asked for. */
export async function keepsTheUnclassifiedApart({ page, base, shot }) {
  await page.goto(`${base}/`);
  const rows = page.locator("table.board tr[data-row]");
  await rows.first().waitFor();
  assert.ok(!(await page.locator("table.board").innerText()).includes("transpose_rows"), "a kernel without an operator competes with nobody");
  await page.getByRole("button", { name: "1 row unclassified" }).click();
  await page.getByText("transpose_rows").first().waitFor();
  assert.equal(new URL(page.url()).searchParams.get("operator"), "unclassified");
  await shot("board-unclassified");
}

export async function describesATechnique({ page, base, shot }) {
  await page.goto(`${base}/techniques?words=vectorized`);
  await page.locator("tbody a[data-open]", { hasText: "memory.vectorized_access" }).click();
  await page.waitForURL("**/technique/memory.vectorized_access");
  await page.locator("article.technique tbody tr").first().waitFor();
  const text = await page.locator("article.technique").innerText();
  has(text, "16-byte alignment", "ineffective", "tried", "When to use it");
  assert.ok((await page.locator("article.technique tbody a[href^='/experiments/']").count()) >= 1, "its experiments are linked");
  await page.reload(); /* its name has a dot: the service must answer with the page */
  await page.getByRole("heading", { level: 1 }).waitFor();
  await shot("technique");
}

export async function showsLessonsAsText({ page, base, shot }) {
  await page.goto(`${base}/insights`);
  await page.getByLabel("Kind").selectOption("numerics_rule");
  await page.waitForFunction(() => document.querySelectorAll("li.insight").length === 1);
  assert.equal(new URL(page.url()).searchParams.get("kind"), "numerics_rule");
  await page.locator("li.insight .mark", { hasText: "reviewed" }).waitFor();
  await page.locator("li.insight a[data-open]").click();
  await page.waitForURL(`**/insights/${LESSON}`);
  const body = page.locator(".markdown");
  await body.locator("h3", { hasText: "When" }).waitFor();
  assert.equal(await body.locator("td").count(), 4, "a table is a table");
  assert.equal(await body.locator("li").count(), 3);
  assert.equal(await body.locator("pre").innerText(), "for (;;) barrier();");
  assert.deepEqual(await body.locator("a").evaluateAll((links) => links.map((link) => link.href)), ["https://example.org/guide"]);
  assert.equal(await body.locator("img, script").count(), 0, "raw HTML became elements");
  has(await body.innerText(), "<img src=x", "a trap");
  assert.doesNotMatch(await page.title(), /broken/);
  await shot("lesson");
}

export async function comparesTwoVersions({ page, base, shot }) {
  await page.goto(`${base}/compare/${V1}/${V2}`);
  await page.locator("article.compare").waitFor();
  has(await page.locator(".numbers").innerText(), "77.4", "69.2", "1.12×");
  const row = (name) => page.locator(".compare-metrics tbody tr", { hasText: name }).innerText();
  has(await row("dram__throughput.avg.pct"), "70.62", "81.32", "+15.2 %", "better");
  has(await row("issue_stalled_barrier"), "worse");
  const before = await page.locator(".compare-metrics tbody tr").count();
  await page.getByRole("button", { name: /that are the same/ }).click();
  assert.equal(new URL(page.url()).searchParams.get("all"), "true");
  assert.ok((await page.locator(".compare-metrics tbody tr").count()) > before, "equal metrics unfold");
  await page.locator(".diff-add", { hasText: "float4" }).first().waitFor();
  has(await page.locator(".diff-del").first().innerText(), "-");
  await page.getByRole("link", { name: "Swap the versions" }).click();
  await page.getByRole("heading", { name: "v2 against v1" }).waitFor();
  await shot("compare");
}

/* Ties and proof on the leaderboard. */
export async function provesTheBoard({ page, base, shot }) {
  await page.goto(`${base}/?operator=gated_rmsnorm_quant`);
  await page.locator("[data-fold]").first().click();
  const attempts = page.locator(".attempts a");
  await attempts.first().waitFor();
  assert.equal(await attempts.count(), 5, "the failed attempts that prove it are links");
  await page.goto(`${base}/?chip=h200`);
  await page.locator("[data-fold]").first().click();
  const details = await page.locator("tr.details").innerText();
  has(details, "timed by cuda event", "tied with 1 version", "v2", "3 results excluded", "v3 retracted");
  await page.locator("tr[data-row] td.c-ties").first().waitFor();
  await shot("board-proof");
}

/* Every page at 900 px, dark: nothing is wider than the window. */
export async function fitsNarrowAndDark({ page, base, shot }) {
  await page.setViewportSize({ width: 900, height: 900 });
  const pages = {
    kernel: `/kernel/${KERNEL}`, experiment: `/experiments/${TWO_CHANGES}`, run: `/runs/${RUN_V2}`, chip: "/chip/mi355x", chips: "/chips",
    technique: "/technique/memory.vectorized_access", techniques: "/techniques", lessons: "/insights", lesson: `/insights/${LESSON}`, compare: `/compare/${V1}/${V2}`,
  };
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(base + path);
    await page.locator("main h1").first().waitFor({ state: "attached" });
    await page.locator("main .loading").waitFor({ state: "detached" });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(over <= 0, `${path} is ${over} px too wide at 900 px`);
    await shot(`${name}-narrow`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/* A reader only reads; a contributor says what he applied, and when an experiment came of it, the page
 * says how such advice did. */
export async function saysWhatCameOfAdvice({ page, base, token, contributor, shot }) {
  const ask = `${base}/ask?operator=softmax&chip=sm_86&language=cuda`;
  const cards = page.locator("article.advice");
  const signIn = async (as) => {
    await page.goto(`${base}/#token=${as}`);
    await page.locator("table.board tr[data-row]").first().waitFor();
    await page.goto(ask);
    await cards.first().waitFor();
  };
  await page.goto(ask);
  await cards.first().waitFor();
  assert.equal(await page.getByRole("button", { name: "I applied this" }).count(), 0, "a reader cannot say what he did");
  await signIn(contributor);
  const card = cards.first();
  const href = await card.locator("h3 a").getAttribute("href");
  const technique = decodeURIComponent(href.split("/").pop());
  await card.locator("summary").first().click();
  await card.getByRole("button", { name: "I applied this" }).click();
  await card.getByText("Noted. The next experiment with it counts as its outcome.").waitFor();
  await cards.nth(1).getByRole("button", { name: "Not for me" }).click();
  await cards.nth(1).getByText("Noted.").waitFor();
  await shot("ask-said");
  const kernel = "01M7ZSFEEDBACK000000000001";
  const said = await fetch(`${base}/api/v1/submissions`, {
    method: "POST",
    headers: { Authorization: `Bearer ${contributor}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      warplore: 1,
      id: "01M7ZSFEEDBACK000000000000",
      kernels: [{ id: kernel, operator: "softmax", name: "mine", language: "cuda" }],
      experiments: [{
        id: "01M7ZSFEEDBACK000000000002", kernel, title: "as advised", techniques: [technique], chip: "a6000",
        claim: { latency_before_ns: 1500, latency_after_ns: 1000 },
      }],
    }),
  });
  assert.equal(said.status, 201, await said.text());
  await page.reload();
  await cards.first().waitFor();
  await page.locator(".past-advice", { hasText: "1 worked, 0 did not" }).first().waitFor();
  await shot("ask-record");
  await signIn(token);
}

/* A chip that nothing ran on is offered versions of its neighbours; what to measure next and what to
 * change of one of them are a click away. */
export async function asksWhereToStart({ page, base, shot }) {
  await page.goto(`${base}/ask?operator=softmax&chip=a4000`);
  const rows = page.locator(".starts tr[data-row]");
  await rows.first().waitFor();
  assert.ok((await rows.count()) > 1, "several versions to start from");
  has(await page.locator(".level").innerText(), "Indirect evidence", "a6000 (same ISA)");
  has(await page.locator(".starts").innerText(), "of the best", "h200", "measured on a4000", "threads=128");
  await shot("ask-start");
  await page.getByRole("button", { name: "What to measure next?" }).click();
  await page.locator(".next tr[data-row]").first().waitFor();
  assert.match(page.url(), /next=true/, "the question is the address");
  await page.getByRole("button", { name: "Where to start?" }).click();
  await rows.first().getByRole("button", { name: "what to change" }).click();
  await page.locator(".lineage-state", { hasText: "Ask without it" }).waitFor();
  await shot("ask-version");
  await page.getByRole("button", { name: "Ask without it" }).click();
  await page.waitForURL((url) => !url.searchParams.has("version"));
}

/* One search on two chips: the board has a row for each, the kernel's page says which times do not
 * compare, and the run has the parameters that the label leaves out. */
export async function tellsSweepsOfTwoChipsApart({ page, base, contributor, shot }) {
  const id = (name) => `01M7ZSSWEEP${name.padStart(15, "0")}`;
  const label = (tile) => `block_size_x=${tile} tile_size=1…`;
  const workload = { dims: { x: 4096 }, dtype: "f32" };
  const configurations = { count: 2, parameters: [{ name: "block_size_x", values: "32 64" }, { name: "tile_size", values: "1 1" }] };
  const chips = [["h200", "1", 32, "1000 2000"], ["mi300x", "2", 64, "9000 3000"]];
  const said = await fetch(`${base}/api/v1/submissions`, {
    method: "POST",
    headers: { Authorization: `Bearer ${contributor}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      warplore: 1, id: id("D"), kernels: [{ id: id("K"), operator: "conv1d", name: "searched", language: "other" }],
      versions: chips.map(([, n, tile]) => ({ id: id(`V${n}`), kernel: id("K"), kind: "candidate", label: label(tile), params: { block_size_x: tile, tile_size: 1, hidden_one: "yes" } })),
      runs: chips.map(([chip, n, , times]) => ({ id: id(`R${n}`), version: id(`V${n}`), chip, workload, evidence: "imported", summary: { median_ns: Math.min(...times.split(" ")) } })),
      sweeps: chips.map(([chip, n, , times]) => ({ id: id(`W${n}`), kernel: id("K"), chip, workload, configurations: { ...configurations, times_ns: times } })),
    }),
  });
  assert.equal(said.status, 201, await said.text());
  await page.goto(`${base}/?operator=conv1d`);
  const rows = page.locator("table.board tr[data-row]");
  await rows.nth(1).waitFor();
  assert.deepEqual(await page.$$eval("table.board tr[data-row] td.c-chip", (cells) => cells.map((cell) => cell.textContent)), ["h200", "mi300x"]);
  has(await rows.first().innerText(), "block_size_x=32 tile_size=1 …");
  await page.goto(`${base}/kernel/${id("K")}`);
  const history = page.locator("table.history-table tbody tr");
  await history.nth(1).waitFor();
  const elsewhere = await page.$$eval("table.history-table tbody tr", (lines) => lines.map((line) => line.textContent).filter((text) => /chip (h200|mi300x)/.test(text)));
  assert.equal(elsewhere.length, 1, `the time of the other chip does not compare: ${elsewhere}`);
  await page.locator("a[href^='/sweeps/']").nth(1).waitFor();
  assert.equal(await page.locator("a[href^='/sweeps/']").count(), 2, "each sweep once");
  await shot("sweeps");
  await page.goto(`${base}/runs/${id("R2")}`);
  await page.locator(".version dd", { hasText: "yes" }).waitFor();
  has(await page.locator(".version").innerText(), "block_size_x", "64", "hidden_one");
}
