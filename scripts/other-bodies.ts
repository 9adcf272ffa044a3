type Part = { type: string; start: number; end: number; id?: { name: string } | null; body?: Part };

/**
 * The code of a library, parsed as `tree`, with other bodies for some of its functions, and without the statements that
 * begin with `leftOut`. Throws when the library no longer has one of them.
 */
export function withBodies(code: string, tree: object, bodies: ReadonlyMap<string, string>, leftOut?: string): string {
  const missing = new Set(bodies.keys());
  let kept = '';
  let from = 0;
  for (const { type, start, end, id, body } of partsOf(tree)) {
    if (start < from) continue;
    const name = id?.name ?? '';
    if (type === 'FunctionDeclaration' && body && missing.delete(name)) {
      kept += code.slice(from, body.start) + bodies.get(name);
    } else if (leftOut && code.startsWith(leftOut, start)) {
      kept += code.slice(from, start);
    } else continue;
    from = end;
  }
  if (missing.size > 0) throw new Error(`the library has no ${[...missing].join(', ')} any more`);
  return kept + code.slice(from);
}

/** All statements and declarations of parsed code, in the order of their beginnings. */
function* partsOf(tree: object): Generator<Part> {
  for (const part of Object.values(tree)) {
    if (typeof part !== 'object' || part === null) continue;
    if (/Statement$|Declaration$/.test(part.type)) yield part;
    yield* partsOf(part);
  }
}
