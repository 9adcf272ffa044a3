import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';

/** Who names which table in SQL (docs/architecture.md): a page none, and a room writes only its own. */
const files = globSync('{app,server}/**/*.{ts,tsx}', { cwd: projectRoot })
  .filter((file) => !/\.test\.tsx?$|^app\/db\//.test(file))
  .map((file) => ({ file, source: readFileSync(path.join(projectRoot, file), 'utf8') }));

test('no page and no part of the server names a table in SQL', () => {
  const query = /\b(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<[^`]*>)?`[^`]*\b(from|into|update) \w/;
  const pages = files.filter(({ file }) => /^(app\/routes|server)\//.test(file));
  expect(pages.filter(({ source }) => query.test(source)).map(({ file }) => file)).toEqual([]);
});

test('each table is written by one room', () => {
  const rooms = new Map<string, Set<string>>();
  for (const { file, source } of files)
    for (const [, kysely, sql] of source.matchAll(writes)) {
      const table = kysely ?? sql ?? '';
      rooms.set(table, (rooms.get(table) ?? new Set()).add(roomOf(file)));
    }
  expect(rooms.size).toBeGreaterThan(80);
  expect([...rooms].filter(([, of]) => of.size > 1).map(([table, of]) => [table, ...of])).toEqual([]);
});

const writes = /(?:insertInto|updateTable|deleteFrom)\('(\w+)'|`\s*(?:insert into|update|delete from) (\w+)/g;

/** `features/study` of `app/features/study/bower/records.server.ts`, `outbox` of a file in it. */
const roomOf = (file: string) => /^app\/(features\/[^/]+|[^/]+)/.exec(file)?.[1] ?? file;
