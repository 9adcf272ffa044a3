// @module-tag torture
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { get, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { publicPages } from '#scripts/support/public-pages.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { behindProxy, confirmed, sendMessage, takeForms } from '#tests/support/visitors.ts';

const git = (...args: string[]) => execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).trim();

/** The last release; before the first one the last commit with the twelve files of the first schema alone (P93). */
function formerRelease(): string | null {
  try {
    const [tag] = git('tag', '--sort=-creatordate').split('\n');
    if (tag) return tag;
    const added = git('log', '--format=%H', '--diff-filter=A', '--', 'db/migrations/20-companies.sql');
    return git('rev-parse', `${added.split('\n').at(-1)}^`);
  } catch {
    // A copy without its history.
    return null;
  }
}
const former = formerRelease();

test.runIf(former)('P93: the release before serves, reads and saves on the tables of this one', async () => {
  const [old, data] = [temporaryFolder(), temporaryFolder()];
  execFileSync('sh', ['-c', `git archive ${former} | tar -x -C ${old.folder}`], { cwd: projectRoot });
  symlinkSync(path.join(projectRoot, 'node_modules'), path.join(old.folder, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: old.folder, stdio: 'ignore' });
  fillDataFolder(data.folder);
  const within = ['sh', '-c', `cd ${old.folder} && exec "$@"`, 'sh'];
  const program = await startProgram({ ...behindProxy, DATA_DIR: data.folder, TODAY: '2025-09-08' }, within);
  const pages = await Promise.all(publicPages.map(async (page) => ({ page, ...(await get(program.url + page)) })));
  // A page that is new since then is not found there.
  expect(pages.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
  expect(pages.filter(({ status }) => status === 200).length).toBeGreaterThan(10);
  const messages = [];
  for (const form of await takeForms(program.url, 5)) messages.push(await sendMessage(program.url, form));
  expect(await program.end('SIGTERM')).toBe(0);
  expect(program.output()).not.toMatch(/does not exist|violates/);
  expect(await confirmed(data.folder, messages)).toEqual({ told: 5, lost: [] });
  data.remove();
  old.remove();
});
