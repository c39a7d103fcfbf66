import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml';
import type { Result } from '../../core/model/result.ts';
import { fail, ok } from '../../core/model/result.ts';
import type { DataEntry, DataNode } from '../../core/policy/document.ts';

/** Why a text is no usable configuration, and where. */
export interface YamlProblem {
  readonly line: number;
  readonly reason: string;
}

const mostNodes = 20_000;
const deepest = 20;
const mostAliases = 20;
const coreTags = ['map', 'seq', 'str', 'int', 'float', 'bool', 'null'].map((name) => `tag:yaml.org,2002:${name}`);

/** Thrown inside the walk only; `parseYaml` turns it into a value. */
class Refused extends Error {
  readonly problem: YamlProblem;

  constructor(problem: YamlProblem) {
    super(problem.reason);
    this.problem = problem;
  }
}

interface Walk {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  nodes: number;
  aliases: number;
}

const lineOf = ({ lines }: Walk, node: Node | null | undefined): number =>
  node?.range ? lines.linePos(node.range[0]).line : 1;

const entryOf = (walk: Walk, pair: Pair<unknown, unknown>, depth: number): DataEntry => {
  const key = pair.key;
  if (!isScalar(key)) throw new Refused({ line: 1, reason: 'a key must be plain text' });
  const line = lineOf(walk, key);
  if (typeof key.value !== 'string')
    throw new Refused({ line, reason: `the key ${String(key.value)} must be text: quote it` });
  checkTag(key, line);
  const value = pair.value;
  const node = value === null || value === undefined ? undefined : asNode(value, line);
  return {
    key: key.value,
    line,
    value: node === undefined ? { kind: 'scalar', value: null, line } : convert(walk, node, { depth, line }),
  };
};

const asNode = (value: unknown, line: number): Node => {
  if (isScalar(value) || isMap(value) || isSeq(value) || isAlias(value)) return value;
  throw new Refused({ line, reason: 'this kind of value is not supported' });
};

const checkTag = (node: Node, line: number): void => {
  if (node.tag !== undefined && !coreTags.includes(node.tag))
    throw new Refused({ line, reason: `the tag ${node.tag.slice(0, 60)} is not supported` });
};

const convert = (
  walk: Walk,
  node: Node,
  { depth, line }: { readonly depth: number; readonly line: number },
): DataNode => {
  walk.nodes += 1;
  if (walk.nodes > mostNodes) throw new Refused({ line, reason: `more than ${mostNodes} values` });
  if (depth > deepest) throw new Refused({ line, reason: `more than ${deepest} levels` });
  if (isAlias(node)) return convert(walk, resolveAlias(walk, node, line), { depth: depth + 1, line });
  const own = lineOf(walk, node);
  checkTag(node, own);
  if (isMap(node)) return { kind: 'map', line: own, entries: node.items.map((pair) => entryOf(walk, pair, depth + 1)) };
  if (isSeq(node)) {
    const items = node.items.map((item) => convert(walk, asNode(item, own), { depth: depth + 1, line: own }));
    return { kind: 'list', line: own, items };
  }
  if (!isScalar(node)) throw new Refused({ line: own, reason: 'this kind of value is not supported' });
  const { value } = node;
  if (value !== null && typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw new Refused({ line: own, reason: 'this kind of value is not supported' });
  return { kind: 'scalar', value, line: own };
};

const resolveAlias = (walk: Walk, node: Node, line: number): Node => {
  walk.aliases += 1;
  if (walk.aliases > mostAliases) throw new Refused({ line, reason: `more than ${mostAliases} aliases` });
  const target = isAlias(node) ? node.resolve(walk.document) : undefined;
  if (target === undefined) throw new Refused({ line, reason: 'an alias names nothing' });
  return target;
};

/** Reads one YAML document as plain data with lines; `undefined` for an empty one. No tags, few aliases, no key twice. */
export const parseYaml = (text: string): Result<DataNode | undefined, YamlProblem> => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', uniqueKeys: true, logLevel: 'error' });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) {
    const reason = problem.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? problem.code;
    return fail({ line: problem.linePos?.[0].line ?? 1, reason });
  }
  if (document.directives.yaml.explicit && document.directives.yaml.version !== '1.2')
    return fail({ line: 1, reason: 'only YAML 1.2 is supported' });
  if (document.contents === null) return ok(undefined);
  try {
    const walk: Walk = { document, lines, nodes: 0, aliases: 0 };
    return ok(convert(walk, document.contents, { depth: 0, line: 1 }));
  } catch (thrown) {
    if (thrown instanceof Refused) return fail(thrown.problem);
    throw thrown;
  }
};
