import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { migrationsFolder } from './migrate.server.ts';
import { faultsOfMigration, phaseOf } from './migration-phases.ts';

test('P93: every migration says its phase, and none rewrites or locks a table for long', () => {
  const faults = readdirSync(migrationsFolder).flatMap((file) =>
    faultsOfMigration(file, readFileSync(path.join(migrationsFolder, file), 'utf8')).map(
      (fault) => `${file}: ${fault}`,
    ),
  );
  expect(faults).toEqual([]);
});

const expand = '-- phase: expand\n-- Places are given names.\n';
const faultsOf = (text: string, name = '20-names.sql') => faultsOfMigration(name, text);

test('a file without a phase, or without its reason, is refused from 20 on', () => {
  const text = 'create table names (id bigint primary key);';
  expect(faultsOf(text, '12-names.sql')).toEqual([]);
  expect(faultsOf(text)).toEqual([expect.stringContaining('The first line is not')]);
  expect(faultsOf(`-- Names.\n-- phase: expand\n${text}`)).toEqual([expect.stringContaining('The first line is not')]);
  expect(faultsOf(`-- phase: shrink\n-- Names.\n${text}`)).toEqual([expect.stringContaining('The first line is not')]);
  expect(faultsOf(`-- phase: expand\n${text}`)).toEqual(['No line says why it has this phase.']);
  for (const why of [
    '-- phase: expand\n-- Names.\n',
    '-- phase: expand. Names for places.\n',
    '-- phase: backfill: all have one\n',
  ])
    expect(faultsOf(why + text)).toEqual([]);
  expect([phaseOf('-- phase: contract\n'), phaseOf('--phase: contract'), phaseOf(text)]).toEqual([
    'contract',
    null,
    null,
  ]);
});

test.each([
  ['alter table places alter column name type text', 'It rewrites the table'],
  ['ALTER TABLE only places\n  ADD COLUMN a text, ALTER name SET DATA TYPE text', 'It rewrites the table'],
  ['alter table places add column key uuid not null default gen_random_uuid()', 'It rewrites the table'],
  ['alter table places add column half integer generated always as (price / 2) stored', 'It rewrites the table'],
  ['vacuum full places', 'It rewrites the table'],
  ['vacuum (full, analyze) places', 'It rewrites the table'],
  ['alter table places alter name set not null', 'It reads the whole table for what is null'],
  ["alter table places add check (name <> '')", 'It checks the whole table'],
  ['alter table places add constraint one foreign key (name) references names', 'It checks the whole table'],
  ['create index on places (name)', 'It stops writes while the index is built'],
  ['create unique index named on places using btree (name)', 'It stops writes while the index is built'],
  ['drop table places', 'The release before still reads it'],
  ['alter table places drop column name', 'The release before still reads it'],
  ['alter table places rename name to title', 'The release before still reads it'],
])('%s is a fault', (sql, fault) => {
  expect(faultsOf(`${expand}${sql};`)).toEqual([expect.stringMatching(new RegExp(`^${fault}: `))]);
  expect(faultsOf(`${expand}-- allowed: it has a dozen rows\n${sql};`)).toEqual([]);
  expect(faultsOf(`${expand}${sql}; -- allowed: it has a dozen rows`)).toEqual([]);
  // The reason is for one statement only.
  expect(faultsOf(`${expand}select 1; -- allowed: it has a dozen rows\n${sql};`)).toHaveLength(1);
});

test.each([
  'create table names (id bigint primary key); create index on names (id); alter table names alter id set not null',
  "alter table places add column name text, add column at timestamptz not null default now(), add column kind text default 'a, b'",
  'alter table places add constraint named check (name is not null) not valid; alter table places validate constraint named',
  'create function f() returns trigger language plpgsql as $$ begin create index on places (name); end $$',
  "insert into words values ('; drop table places;')",
  '-- drop table places;\nselect 1',
])('%s is none', (sql) => {
  expect(faultsOf(`${expand}${sql};`)).toEqual([]);
});

test('a reason in the second line is for the whole file', () => {
  const drops = 'drop table places;\ndrop table names;';
  expect(faultsOf(`-- phase: expand\n-- allowed: the release before has to be stopped first\n${drops}`)).toEqual([]);
  expect(faultsOf(`${expand}-- allowed: it has a dozen rows\n${drops}`)).toHaveLength(1);
});

test('a backfill may rewrite a table, a contract may drop one', () => {
  expect(faultsOf('-- phase: backfill\n-- Each has one.\nalter table places alter name set not null;')).toEqual([]);
  expect(faultsOf('-- phase: contract\n-- Nobody reads it.\nalter table places drop column name;')).toEqual([]);
  expect(faultsOf('-- phase: contract\n-- All have one.\nalter table places alter name set not null;')).toHaveLength(1);
  expect(faultsOf('-- phase: backfill\n-- Each has one.\ndrop table places;')).toHaveLength(1);
});

test('an index is built concurrently outside a transaction, alone in its file, so that it can be built again', () => {
  const index = 'create index concurrently if not exists places_name on places (name);';
  const outside = `${expand}-- transaction: none\n`;
  expect(faultsOf(outside + index)).toEqual([]);
  expect(faultsOf(expand + index)).toEqual([expect.stringContaining('without the line')]);
  expect(faultsOf(`${outside}${index}\nselect 1;`)).toEqual([expect.stringContaining('has one statement')]);
  expect(faultsOf(outside + index.replace('if not exists ', ''))).toEqual([expect.stringContaining('if not exists')]);
  const pieces = 'do $$ begin commit; end $$;';
  expect(faultsOf(`${outside.replace('expand', 'backfill')}${pieces}`)).toEqual([]);
  expect(faultsOf(outside + pieces)).toEqual([expect.stringContaining('if not exists')]);
});
