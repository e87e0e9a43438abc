/* The page, end to end: a real warplored with the demo experience, a real Chromium. Checks what a person
 * would look at: both chips on the board, sorting and filters in the address, back, an experiment, the
 * query page, an answer, what is known of kernels, chips and techniques, dark mode, and that the browser had nothing to complain about (no errors, no
 * policy violations, no request to anywhere else). Screenshots go to --shots.
 *
 *   node page.mjs --warplored PATH --fixtures DIR --shots DIR [--chromium PATH]
 *
 * Exit 77: Chromium, the page's packages or the built page are missing. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as known from "./page_steps.mjs";
import { startService } from "./service.mjs";

const web = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "web");
const { values: given } = parseArgs({
  options: { warplored: { type: "string" }, fixtures: { type: "string" }, shots: { type: "string" }, chromium: { type: "string" } },
});

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

function needs() {
  const chromium = given.chromium && !given.chromium.endsWith("NOTFOUND") ? given.chromium : "/usr/bin/chromium";
  if (!existsSync(chromium)) skip("no chromium");
  if (!existsSync(join(web, "node_modules", "playwright-core"))) skip("web/node_modules is missing (npm ci in web/)");
  if (!existsSync(join(web, "dist", "index.html"))) skip("web/dist is missing (npm run build in web/)");
  return chromium;
}

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/* Everything the browser complains about, and every request that leaves the service. */
function watch(page, base) {
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${base}/`) && !/^(data|blob):/.test(request.url())) complaints.push(`request to ${request.url()}`);
  });
  page.on("response", (answer) => {
    if (answer.status() >= 400) complaints.push(`${answer.status()} for ${answer.url()}`);
  });
  return complaints;
}

const column = (page, name) => page.$$eval(`table.board tr[data-row] td.c-${name}`, (cells) => cells.map((cell) => cell.textContent.trim()));
const rows = (page) => page.locator("table.board tr[data-row]");
const params = (page) => new URL(page.url()).searchParams;

async function signsIn({ page, base, token, shot }) {
  await page.goto(`${base}/`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await shot("sign-in");
  await page.goto(`${base}/#token=${token}`);
  await rows(page).first().waitFor();
  assert.equal(new URL(page.url()).hash, "", "the token stays in the address");
  await page.getByText("reader", { exact: true }).waitFor();
}

async function showsTheBoard({ page, shot }) {
  const chips = await column(page, "chip");
  for (const chip of ["mi300x", "a6000"]) assert.ok(chips.includes(chip), `no row for ${chip}: ${chips}`);
  const operators = await column(page, "operator");
  for (const name of ["topk_softmax", "gated_rmsnorm_quant", "softmax", "gemm"]) {
    assert.ok(operators.some((text) => text.startsWith(name)), `no row for ${name}: ${operators}`);
  }
  await shot("board");
}

async function sortsAndFilters({ page }) {
  await page.getByRole("button", { name: "Speedup" }).click();
  assert.equal(params(page).get("sort"), "-speedup");
  assert.equal(await page.getAttribute("th.c-speedup", "aria-sort"), "descending");
  const factors = (await column(page, "speedup")).filter((text) => !text.endsWith("claimed")).map((text) => Number.parseFloat(text)).filter((value) => !Number.isNaN(value));
  assert.ok(factors.length > 3, "speedups are shown");
  assert.deepEqual(factors, [...factors].sort((a, b) => b - a));
  const all = await rows(page).count();
  await page.getByLabel("Chip").selectOption("mi300x");
  await page.waitForFunction((n) => document.querySelectorAll("table.board tr[data-row]").length < n, all);
  assert.equal(params(page).get("chip"), "mi300x");
  assert.equal(params(page).get("sort"), "-speedup");
  assert.deepEqual([...new Set(await column(page, "chip"))], ["mi300x"]);
  await page.goBack();
  await page.waitForFunction((n) => document.querySelectorAll("table.board tr[data-row]").length === n, all);
  assert.equal(params(page).get("chip"), null);
}

async function walksByKeyboard({ page }) {
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement?.matches("[data-search]")), true);
  await page.keyboard.type("gated");
  await page.waitForFunction(() => new URLSearchParams(location.search).get("words") === "gated");
  await page.waitForFunction(() => document.querySelectorAll("table.board tr[data-row]").length === 1);
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.locator("tr.details").waitFor();
  assert.ok(params(page).get("open"), "an unfolded row is in the address");
}

async function opensAnExperiment({ page, base, shot }) {
  await page.goto(`${base}/?words=topk_softmax`);
  await page.locator("a[data-open]").first().click();
  await page.waitForURL(/\/experiments\/[0-9A-Z]{26}$/);
  await page.getByRole("heading", { level: 1, name: /wavefront/ }).waitFor();
  const text = await page.locator("article.experiment").innerText();
  for (const said of ["260", "17.0", "15.04×", "win", "imported", "kernel-forge", "barriers"]) {
    assert.ok(text.includes(said), `the experiment does not say ${said}`);
  }
  await page.getByText("The record as submitted").click();
  await page.locator("details.raw pre").first().waitFor();
  await shot("experiment");
}

async function queriesFailuresToo({ page, base, shot }) {
  await page.goto(`${base}/query?operator=gated_rmsnorm_quant`);
  await page.locator("li.result").first().waitFor();
  assert.ok((await page.locator("li.result").count()) >= 5, "the five failed attempts are listed");
  assert.ok((await page.locator("li.result", { hasText: "typed: regression" }).count()) >= 5, "with what their author wrote");
  await page.locator(".facet", { hasText: "Effect" }).getByRole("button").first().click();
  assert.ok(params(page).get("effect"), "a facet is in the address");
  await page.goto(`${base}/query?words=barrier`);
  await page.locator("li.result mark").first().waitFor();
  await shot("query");
}

async function answers({ page, base, shot }) {
  await page.goto(`${base}/ask?operator=softmax&chip=sm_86&bottleneck=memory`);
  await page.locator("article.advice").first().waitFor();
  await page.locator("article.advice summary").first().click();
  assert.ok((await page.locator("article.advice a[href^='/experiments/']").count()) > 0, "advice cites experiments");
  const why = page.locator("article.advice .steps").first();
  await why.locator("summary").click();
  const steps = await why.innerText();
  assert.match(steps, /why \d+.?%\?/, "the fold-out asks for the number above it");
  for (const word of ["all experiments", "this operator", "weight", "After one more win here"]) assert.ok(steps.includes(word), `${word} in ${steps}`);
  assert.match(await page.locator(".telling").innerText(), /Most useful test: Measure /);
  await shot("ask");
}

async function turnsDark({ page, base, shot }) {
  await page.goto(`${base}/`);
  await rows(page).first().waitFor();
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await page.getByRole("button", { name: /^Theme/ }).click();
  await page.getByRole("button", { name: /^Theme/ }).click();
  assert.notEqual(await ground(), light);
  await page.reload();
  await rows(page).first().waitFor();
  assert.notEqual(await ground(), light, "the choice is kept");
  await shot("board-dark");
  await page.setViewportSize({ width: 900, height: 800 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "900 px is wide enough");
  await shot("board-narrow");
  await page.setViewportSize({ width: 1440, height: 900 });
}

async function saysWhatToDo({ page, base, complaints }) {
  await page.goto(`${base}/?chip=mi300`);
  const alert = page.getByRole("alert");
  await alert.waitFor();
  assert.match(await alert.innerText(), /mi300x/, "an unknown chip offers near names");
  await page.goto(`${base}/experiments/00000000000000000000000000`);
  await page.getByRole("alert").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByLabel("Token").fill("wl_no_such_token");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
  const expected = /status of 40[0-9]|^40[0-9] for .*(chip=mi300|0000|\/me)/;
  assert.deepEqual(complaints.filter((line) => !expected.test(line)), []);
}

/* In the order of their names, which is the order they were made in. */
function submissions(folder) {
  return readdirSync(folder).filter((name) => name.endsWith(".json")).sort().map((name) => join(folder, name));
}

const STEPS = [
  signsIn, showsTheBoard, sortsAndFilters, walksByKeyboard, opensAnExperiment, queriesFailuresToo, answers, known.asksWhereToStart, known.saysWhatCameOfAdvice,
  known.judgesAnExperiment, known.tellsAKernelsHistory, known.citesAChipsNumbers, known.diagnosesARun, known.showsACollectedRun, known.saysWhereTheTimeOfAProgramWent, known.keepsTheUnclassifiedApart, known.describesATechnique,
  known.showsLessonsAsText, known.comparesTwoVersions, known.provesTheBoard, known.tellsSweepsOfTwoChipsApart, turnsDark, known.fitsNarrowAndDark,
];

async function main() {
  const executablePath = needs();
  const { chromium } = createRequire(join(web, "package.json"))("playwright-core");
  const files = ["demo", "walkthrough", "page", "collect/profiles"].flatMap((folder) => submissions(join(given.fixtures, folder)))
    .filter((file) => !/profiles\/.*-h200\.json$/.test(file));
  mkdirSync(given.shots, { recursive: true });
  const service = await startService(given.warplored, files);
  const profile = mkdtempSync(join(tmpdir(), "warplore-chromium-"));
  let failed = false;
  let context;
  try {
    context = await chromium.launchPersistentContext(profile, { executablePath, args: FLAGS, viewport: { width: 1440, height: 900 }, colorScheme: "light" });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const complaints = watch(page, service.base);
    const shot = (name) => page.screenshot({ path: join(given.shots, `${name}.png`) });
    const world = { page, shot, complaints, base: service.base, token: service.token, contributor: service.contributor };
    for (const step of STEPS) {
      await step(world);
      assert.deepEqual(complaints, [], `${step.name}: the browser complains`);
      console.log(`ok ${step.name}`);
    }
    await saysWhatToDo(world);
    console.log("ok saysWhatToDo");
  } catch (error) {
    failed = true;
    console.error(error);
    console.error(service.log().slice(-4000));
  } finally {
    await context?.close();
    rmSync(profile, { recursive: true, force: true });
  }
  const code = await service.stop();
  if (code !== 0) console.error(`warplored ended with ${code} after SIGTERM\n${service.log().slice(-4000)}`);
  process.exitCode = failed || code !== 0 ? 1 : 0;
}

await main();
