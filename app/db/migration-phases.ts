/**
 * The purpose of a migration (P93). Expand adds, and the release before goes on running. Backfill fills in new columns.
 * Contract removes columns and tables that no release in use reads any more.
 */
export type Phase = 'expand' | 'backfill' | 'contract';

/** Files below this number are the schema that an empty database begins with. */
const firstWithPhase = 20;

const hasPhase = (name: string): boolean => Number.parseInt(name, 10) >= firstWithPhase;

/** The phase in the first line of a file; null when it has none. */
export function phaseOf(text: string): Phase | null {
  return (/^-- phase: (expand|backfill|contract)\b/.exec(text)?.[1] as Phase | undefined) ?? null;
}

/** Whether a file says that it runs outside a transaction, as an index that is built concurrently must. */
export const isOutsideTransaction = (text: string): boolean => /^-- transaction: none$/m.test(text);

/**
 * A statement with the comments before it and behind its last line; `sql` is without comments, strings and functions.
 */
type Statement = { sql: string; comments: string };

/**
 * Sentences about the statements of a file that break the rules of its phase; `name` is its file name. The schema that an empty
 * database begins with breaks none.
 */
export function faultsOfMigration(name: string, text: string): string[] {
  if (!hasPhase(name)) return [];
  const phase = phaseOf(text);
  if (!phase) return ['The first line is not "-- phase: expand", "-- phase: backfill" or "-- phase: contract".'];
  const faults = /^-- phase: \w+\b(\W*\n-- .*|.*\w{3,}.*)/.test(text) ? [] : ['No line says why it has this phase.'];
  const isAllowed = /^-- phase: .*\n-- allowed: \w+/.test(text);
  const statements = statementsOf(text);
  const own = new Set(
    statements.flatMap(({ sql }) => /^create (?:unlogged )?table (?:if not exists )?(\S+)/.exec(sql)?.[1] ?? []),
  );
  for (const { sql, comments } of statements) {
    if (isAllowed || /-- allowed: \w+/.test(comments)) continue;
    for (const fault of faultsOfStatement(sql, { phase, own })) faults.push(`${fault}: ${sql.slice(0, 80)}`);
  }
  return [...faults, ...concurrentFaults(statements, { phase, outside: isOutsideTransaction(text) })];
}

function faultsOfStatement(sql: string, { phase, own }: { phase: Phase; own: ReadonlySet<string> }): string[] {
  const on = /^(?:alter|drop|truncate) table (?:if exists )?(?:only )?([^\s;]+)/.exec(sql)?.[1];
  if (on && own.has(on)) return [];
  const faults: string[] = [];
  // A file that fills in may do its work in place: it says why.
  if (phase !== 'backfill') {
    if (/^vacuum\b.*\bfull\b|^cluster\b/.test(sql)) faults.push('It rewrites the table');
    for (const action of on ? actionsOf(sql) : [])
      faults.push(...locks.flatMap(([rule, fault]) => (rule(action) ? [fault] : [])));
    const index = /^create (?:unique )?index (concurrently )?.*?\bon (?:only )?([^\s(]+)/.exec(sql);
    if (index && !index[1] && !own.has(index[2] ?? '')) faults.push('It stops writes while the index is built');
  }
  if (phase !== 'contract' && /^drop table\b|^alter table\b.*\b(drop column|rename)\b/.test(sql)) {
    faults.push('The release before still reads it');
  }
  return faults;
}

/** The actions of ALTER TABLE that lock everybody out for a time that grows with the table. */
const locks: [(action: string) => boolean, string][] = [
  [(action) => /^alter (column )?\S+ (set data )?type\b/.test(action), 'It rewrites the table'],
  [
    (action) =>
      /^add (column )?/.test(action) &&
      /\bdefault .{0,200}\b(gen_random_uuid|random|clock_timestamp|timeofday|nextval|uuidv[47])\b|\bgenerated\b|\bserial\b|\bbigserial\b/.test(
        action,
      ),
    'It rewrites the table',
  ],
  [(action) => /^alter (column )?\S+ set not null/.test(action), 'It reads the whole table for what is null'],
  [
    (action) =>
      /^add (constraint \S+ )?(check|foreign key|unique|primary key|exclude)\b/.test(action) &&
      !/\bnot valid\b|\busing index\b/.test(action),
    'It checks the whole table',
  ],
];

/** The actions of an ALTER TABLE, divided at the commas outside of brackets. */
function actionsOf(sql: string): string[] {
  let depth = 0;
  const actions = [''];
  for (const letter of sql.replace(/^alter table (if exists )?(only )?\S+ /, '')) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) actions.push('');
    else actions[actions.length - 1] += letter;
  }
  return actions.map((action) => action.trim());
}

/** The faults of an index that is built concurrently, or of a file outside a transaction. */
function concurrentFaults(
  statements: readonly Statement[],
  { phase, outside }: { phase: Phase; outside: boolean },
): string[] {
  const concurrent = statements.filter(({ sql }) => /^(create (unique )?|drop )index concurrently\b/.test(sql));
  if (!outside) {
    return concurrent.length > 0 ? ['An index is built concurrently without the line "-- transaction: none".'] : [];
  }
  if (statements.length !== 1) return ['Outside a transaction a file has one statement: it cannot be taken back.'];
  const { sql = '' } = statements[0] ?? {};
  const repeatable = /\bif (not )?exists\b/.test(sql) || (phase === 'backfill' && /^do\b/.test(sql));
  return repeatable ? [] : ['Outside a transaction a statement says "if not exists": it may have to run again.'];
}

function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  let [sql, comments] = ['', ''];
  // A comment, a string, the body of a function, the end of a statement with a comment on its line, or any letter.
  for (const [part] of text.matchAll(/--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|;(?:[ \t]*--[^\n]*)?|[\s\S]/g)) {
    if (part.startsWith('--')) comments += `${part}\n`;
    else if (part.startsWith(';')) {
      statements.push({ sql: sql.replaceAll(/\s+/g, ' ').trim().toLowerCase(), comments: comments + part });
      [sql, comments] = ['', ''];
    } else sql += /^['$]./.test(part) ? "''" : part;
  }
  if (sql.trim()) statements.push({ sql: sql.replaceAll(/\s+/g, ' ').trim().toLowerCase(), comments });
  return statements;
}
