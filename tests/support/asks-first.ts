import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Source = { file: string; text: string; functions: Map<string, Node>; imported: Map<string, string> };

/** What asks whether a member of staff may (P68), and throws when not. */
const asking = new Set(['requirePermission', 'onlyCourseDatesOf']);
/** They are given the database and read nothing that a page shows: the clock, the trace of a file. */
const readNothing = new Set(['momentOf', 'recordExport', 'writeAuditEntry']);

/**
 * What a loader of a page for staff, or what else a file names, reads without the staff member: each call that is given the database and not the
 * actor, each query that the loader makes itself, and each function that is given both and does not refuse by itself.
 */
export function unaskedIn(file: string, name = 'loader'): string[] {
  const source = sourceOf(file);
  const loader = source.functions.get(name);
  if (!loader && name !== 'loader') throw new Error(`${file} has no ${name}`);
  return loader ? faultsIn(source, loader, new Set()) : [];
}

/** The same for the text of a file that is not stored; it can import nothing of ours but by `#app/…`. */
export const unaskedInText = (file: string, text: string): string[] => {
  const source = parsed(file, text);
  const loader = source.functions.get('loader');
  return loader ? faultsIn(source, loader, new Set()) : [];
};

function faultsIn(source: Source, node: Node, seen: Set<Node>): string[] {
  if (seen.has(node)) return [];
  seen.add(node);
  return callsIn(node).flatMap((call) => {
    const { name, args } = partsOf(source, call);
    if (name === '' || readNothing.has(name)) return [];
    const at = `${path.basename(source.file)}: ${name}`;
    if (/^(db|trx)\.(selectFrom|insertInto|updateTable|deleteFrom|with)$/.test(name)) return [`${at} in the loader`];
    if (!args.some(isDatabase)) {
      // A helper of the page, which may read for the loader.
      const own = source.functions.get(name);
      return own && args.some((arg) => arg === 'context') ? faultsIn(source, own, seen) : [];
    }
    if (!args.some((arg) => /\bactor\b/.test(arg))) return [`${at} without the staff member`];
    return asks(source, name, new Set()) ? [] : [`${at} does not refuse by itself`];
  });
}

/** Whether an argument is the database, what holds it, or an object with it. */
const isDatabase = (arg: string) =>
  /(^|\.)(db|trx|academy|services)$/.test(arg) || /^\{(.*[\s,{])?(db|trx)\s*[,:}]/s.test(arg);

/** Whether a function asks, by itself or by a function to which it gives the actor. */
function asks(source: Source, name: string, seen: Set<string>): boolean {
  const place = `${source.file} ${name}`;
  if (seen.has(place)) return false;
  seen.add(place);
  const own = source.functions.get(name);
  if (!own) {
    const from = source.imported.get(name);
    return from !== undefined && asks(sourceOf(from), name, seen);
  }
  return callsIn(own).some((call) => {
    const { name: called, args } = partsOf(source, call);
    if (asking.has(called)) return true;
    return args.some((arg) => /\b(actor|by|asked)\b/.test(arg)) && asks(source, called, seen);
  });
}

function partsOf({ text }: Source, call: Node): { name: string; args: string[] } {
  const of = (node: Node) => text.slice(node.start, node.end);
  return { name: of(call.callee as Node), args: (call.arguments as Node[]).map(of) };
}

function callsIn(node: Node): Node[] {
  return [...(node.type === 'CallExpression' ? [node] : []), ...childrenOf(node).flatMap(callsIn)];
}

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const known = new Map<string, Source>();

function sourceOf(file: string): Source {
  const found = known.get(file) ?? parsed(file, readFileSync(file, 'utf8'));
  known.set(file, found);
  return found;
}

function parsed(file: string, text: string): Source {
  const source: Source = { file, text, functions: new Map(), imported: new Map() };
  const { body } = parseSync(file, text).program as unknown as { body: Node[] };
  for (const statement of body) {
    if (statement.type === 'ImportDeclaration') {
      const from = fileOf(file, String((statement.source as Node).value));
      if (!from) continue;
      for (const one of statement.specifiers as Node[]) source.imported.set(nameOf(one.local), from);
      continue;
    }
    const declared = (isNode(statement.declaration) ? statement.declaration : statement) as Node;
    if (declared.type === 'FunctionDeclaration') source.functions.set(nameOf(declared.id), declared);
    if (declared.type !== 'VariableDeclaration') continue;
    for (const one of declared.declarations as Node[]) source.functions.set(nameOf(one.id), one);
  }
  return source;
}

const nameOf = (node: unknown): string => (isNode(node) && typeof node.name === 'string' ? node.name : '');

/** The file of ours that an import names. */
function fileOf(importer: string, name: string): string | null {
  if (!/^[#.]/.test(name)) return null;
  const file = name.startsWith('#app/')
    ? path.join(import.meta.dirname, '../..', name.slice(1))
    : path.join(path.dirname(importer), name);
  return existsSync(file) ? file : null;
}
