/* What a profile's page says, from the record. All functions are pure. */
import { group, isNum, NONE, sig } from "./format";
import type { Profile, SubmittedLine, SubmittedShape } from "./types";

const UNNAMED = "(anonymous namespace)";

/* The end of the part of NAME before the arguments: "(" outside of "<>". */
function beforeArguments(name: string): number {
  let depth = 0;
  for (let i = 0; i < name.length; i += 1) {
    if (name.startsWith(UNNAMED, i)) i += UNNAMED.length - 1;
    else if (name[i] === "<") depth += 1;
    else if (name[i] === ">" && depth > 0) depth -= 1;
    else if (name[i] === "(" && depth === 0 && i > 0) return i;
  }
  return name.length;
}

/* The beginning of the name after the return type: after the last blank outside of brackets. */
function afterType(name: string): number {
  let start = 0;
  let depth = 0;
  for (let i = 0; i < name.length; i += 1) {
    if (name[i] === "<" || name[i] === "(") depth += 1;
    else if ((name[i] === ">" || name[i] === ")") && depth > 0) depth -= 1;
    else if (name[i] === " " && depth === 0) start = i + 1;
  }
  return start;
}

/** The name of a kernel without return type, name spaces and arguments, as `warplore profile` prints it. */
export function shortKernelName(name: string): string {
  const bare = name.slice(0, beforeArguments(name));
  const short = bare.slice(afterType(bare)).replace(/(?:\w+|\(anonymous namespace\))?::/g, "").replace(/ >/g, ">");
  return short === "" ? name : short;
}

/** A share of the profile's GPU time: "18.1 %". */
export function share(of: Profile, ns: number | undefined): string {
  if (!isNum(ns) || !isNum(of.total_ns) || of.total_ns <= 0) return NONE;
  const percent = (100 * ns) / of.total_ns;
  return percent > 0 && percent < 0.05 ? "<0.1\u202f%" : `${percent.toFixed(1)}\u202f%`;
}

/** "64x8" of a grid or block: trailing dimensions of 1 are left out. */
export function extent(shape: SubmittedShape | undefined, key: "grid" | "block"): string {
  const value = shape?.launch?.[key];
  return typeof value === "string" ? value.replace(/(?:x1)+$/, "") : "";
}

/** How many of the longest lines make up half of the GPU time: [lines, their share]. */
export function half(of: Profile): [number, number] {
  const total = of.total_ns ?? 0;
  let n = 0;
  let sum = 0;
  for (const line of of.lines ?? []) {
    if (total <= 0 || sum >= total / 2) break;
    sum += line.total_ns;
    n += 1;
  }
  return [n, total > 0 ? sum / total : 0];
}

/** The range that the program put around the launches of SHAPE, as a sentence; "" for none. */
export function rangeText(shape: SubmittedShape | undefined): string {
  return shape?.range ? `in the range ${shape.range}` : "";
}

/** The command that makes a run of shape SHAPE (from 1) of line LINE (from 1). */
export function adoptCommand(of: Profile, line: number, shape: number): string {
  const one = of.lines?.[line - 1];
  const place = (one?.shapes?.length ?? 0) > 1 ? `${line}.${shape}` : String(line);
  const said = one?.shapes?.[shape - 1]?.range; /* then the client proposes operator and dims */
  return `warplore adopt ${of.id ?? ""} ${place}${said ? "" : " --operator OPERATOR --dims M=…,N=… --dtype bf16"}`;
}

const SIZES = ["B", "kB", "MB", "GB", "TB"];

/** Decimal, as `warplore profile` prints it: "6.29 MB". */
export function size(bytes: number | undefined): string {
  if (!isNum(bytes)) return NONE;
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit + 1 < SIZES.length; unit += 1) value /= 1000;
  return unit === 0 ? `${group(String(bytes))}\u202fB` : `${sig(value)}\u202f${SIZES[unit] ?? ""}`;
}

/** The spread of a line over the processes, when it says something: [least, most] of one process. */
export function perProcess(line: SubmittedLine): [number, number] | undefined {
  const { process_min_ns: least, process_max_ns: most } = line;
  return isNum(least) && isNum(most) && (line.processes ?? 1) > 1 ? [least, most] : undefined;
}
