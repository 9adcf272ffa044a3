import { isDeepStrictEqual } from 'node:util';
import { type ContentRecord, type RecordKind, type RecordValue, renamableKinds, renameCourses } from './records.ts';

/** Which side a conflict goes to: `ours` is the database, `theirs` the files; undefined leaves it open. */
export type Side = 'ours' | 'theirs' | undefined;

/** A record, or one field of it, that both files and database changed since the last import, each its own way. */
type Conflict = { kind: RecordKind; key: string; field: string | null };

export type Merge = {
  merged: ContentRecord[];
  /** The records that the next import compares with. */
  base: ContentRecord[];
  /** Records whose base changes with this import. */
  rebased: { kind: RecordKind; key: string }[];
  /** Changes that only the database has, and keeps. `fields` is null for a record as a whole. */
  kept: { kind: RecordKind; key: string; fields: string[] | null }[];
  conflicts: Conflict[];
};

/**
 * The three-way comparison of an import (P46): what only the files changed since `base` is taken, what only the
 * database changed is kept, and what both changed is a conflict, which keeps the database's value unless `side` says
 * otherwise. An open conflict keeps its old base, so that the next import reports it again.
 * A record of the result bears the key it has in the database, or else the files' own.
 */
export function mergeRecords(
  editions: { base: ContentRecord[]; ours: ContentRecord[]; theirs: ContentRecord[] },
  side: Side,
): Merge {
  const keyOf = keysAcross([editions.ours, editions.base, editions.theirs]);
  const [base, ours, theirs] = [editions.base, editions.ours, editions.theirs].map((records) => {
    const renamed = records.map((record) => ({
      ...renameCourses(record, (slug) => keyOf('course', slug)),
      key: keyOf(record.kind, record.key),
    }));
    return new Map(renamed.map((record) => [`${record.kind} ${record.key}`, record]));
  }) as [Edition, Edition, Edition];

  const result: Merge = { merged: [], base: [], rebased: [], kept: [], conflicts: [] };
  for (const id of new Set([...theirs.keys(), ...ours.keys(), ...base.keys()])) {
    mergeRecord({ base: base.get(id), ours: ours.get(id), theirs: theirs.get(id) }, side, result);
  }
  const next = new Map(result.base.map((record) => [`${record.kind} ${record.key}`, record]));
  for (const id of new Set([...base.keys(), ...next.keys()])) {
    const [was, is] = [base.get(id), next.get(id)];
    const record = is ?? was;
    if (record && !isDeepStrictEqual(was?.value, is?.value))
      result.rebased.push({ kind: record.kind, key: record.key });
  }
  return result;
}

type Edition = Map<string, ContentRecord>;
type Versions = Record<'base' | 'ours' | 'theirs', ContentRecord | undefined>;

function mergeRecord({ base, ours, theirs }: Versions, side: Side, result: Merge): void {
  if (ours && theirs) {
    mergeFields({ base, ours, theirs }, side, result);
    return;
  }
  const record = ours ?? theirs;
  if (!record) return;
  const { kind, key } = record;
  if (!base) {
    // New on one side.
    result.merged.push(record);
    if (theirs) result.base.push(theirs);
    else result.kept.push({ kind, key, fields: null });
    return;
  }
  // One side removed the record and the other did not change it: it is removed.
  if (isDeepStrictEqual(withoutPlace(record), withoutPlace(base))) {
    if (!ours) {
      result.kept.push({ kind, key, fields: null });
      result.base.push(base);
    }
    return;
  }
  const taken = side === 'theirs' ? theirs : ours;
  if (taken) result.merged.push(taken);
  if (side === undefined) {
    result.conflicts.push({ kind, key, field: null });
    result.base.push(base);
  } else if (theirs) result.base.push(theirs);
}

/**
 * `placeOf`: whose place in a list counts where both are new. A neighbour that comes or goes gives a record another place
 * too, so that is no conflict.
 */
function mergeFields(
  { base, ours, theirs }: { base: ContentRecord | undefined; ours: ContentRecord; theirs: ContentRecord },
  side: Side,
  result: Merge,
  placeOf: 'ours' | 'theirs' = 'theirs',
): void {
  const { kind, key } = ours;
  const value: Record<string, unknown> = {};
  const nextBase: Record<string, unknown> = {};
  const kept: string[] = [];
  const was = base?.value ?? {};
  for (const field of new Set([...Object.keys(theirs.value), ...Object.keys(ours.value)])) {
    const [old, mine, yours] = [was[field], ours.value[field], theirs.value[field]];
    let [taken, next] = [yours, yours];
    if (isDeepStrictEqual(mine, yours)) taken = yours;
    else if (isDeepStrictEqual(mine, old)) taken = yours;
    else if (isDeepStrictEqual(yours, old)) {
      taken = mine;
      // A place moves with every neighbour that comes or goes: that is no change a person made.
      if (field !== 'at') kept.push(field);
    } else if (field !== 'at') {
      taken = side === 'theirs' ? yours : mine;
      if (side === undefined) {
        next = old;
        result.conflicts.push({ kind, key, field });
      }
    } else if (placeOf === 'ours') taken = mine;
    if (taken !== undefined) value[field] = taken;
    if (next !== undefined) nextBase[field] = next;
  }
  result.merged.push({ kind, key, value });
  result.base.push({ kind, key, value: nextBase });
  if (kept.length > 0) result.kept.push({ kind, key, fields: kept });
}

/**
 * Merges two values of one record that were made from the same one: what only one side changed is taken, and a field
 * that both changed each in its own way is a conflict, which keeps `ours` (P71). A place that was typed counts, however
 * the neighbours moved meanwhile.
 */
export function mergeValues(
  record: { kind: RecordKind; key: string },
  values: { base: RecordValue | undefined; ours: RecordValue; theirs: RecordValue },
): { value: RecordValue; conflicts: string[] } {
  const result: Merge = { merged: [], base: [], rebased: [], kept: [], conflicts: [] };
  const edition = (value: RecordValue): ContentRecord => ({ ...record, value });
  const base = values.base && edition(values.base);
  mergeFields({ base, ours: edition(values.ours), theirs: edition(values.theirs) }, undefined, result, 'ours');
  const conflicts = result.conflicts.flatMap(({ field }) => (field === null ? [] : [field]));
  return { value: result.merged[0]?.value ?? values.ours, conflicts };
}

function withoutPlace({ value: { at: _, ...value } }: ContentRecord): object {
  return value;
}

/**
 * The key that each record goes by: of slugs and former slugs that belong together, the first edition's own. A former
 * slug stands for a record only where no other record of the edition claims it by its present slug.
 */
export function keysAcross(editions: ContentRecord[][]): (kind: RecordKind, key: string) => string {
  const keys = new Map<string, string>();
  for (const records of editions) {
    const named = records.filter(({ kind }) => renamableKinds.includes(kind));
    const claimed = new Set(named.map(({ kind, key }) => `${kind} ${keys.get(`${kind} ${key}`)}`));
    const found = named.map(({ kind, key, value }) => {
      const former = (value.aliases as string[] | undefined) ?? [];
      const byFormer = former
        .map((alias) => keys.get(`${kind} ${alias}`))
        .find((other) => other !== undefined && !claimed.has(`${kind} ${other}`));
      return { kind, names: [key, ...former], known: keys.get(`${kind} ${key}`) ?? byFormer ?? key };
    });
    for (const { kind, names, known } of found) {
      for (const name of names) if (!keys.has(`${kind} ${name}`)) keys.set(`${kind} ${name}`, known);
    }
  }
  return (kind, key) => keys.get(`${kind} ${key}`) ?? key;
}

/** Two records of one edition that would become one, which no import may do: the new address of one is the other's. */
export function ambiguousRecords(editions: { ours: ContentRecord[]; theirs: ContentRecord[] }): string[] {
  const keyOf = keysAcross([editions.ours, editions.theirs]);
  const seen = new Map<string, string>();
  return editions.theirs.flatMap(({ kind, key }) => {
    const id = `${kind} ${keyOf(kind, key)}`;
    const other = seen.get(id);
    seen.set(id, key);
    return other === undefined ? [] : [`${kind} "${key}" and "${other}" are the same one in the database`];
  });
}
