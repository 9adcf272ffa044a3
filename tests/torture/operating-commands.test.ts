// @module-tag torture
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { openDatabase } from '#server/database.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { canBeApart } from '#tests/support/namespaces.ts';
import { blocks, docker, operatingPage, standIn, type } from '#tests/support/operating-page.ts';
import { statement } from '#tests/support/statement.ts';

const hasTool = (name: string) => spawnSync('which', [name]).status === 0;
const [data, bin] = [temporaryFolder(), temporaryFolder()];
const env = { DATA_DIR: data.folder, PATH: bin.folder };
beforeAll(() => fillDataFolder(data.folder));
afterAll(() => {
  for (const { remove } of [data, bin]) remove();
});

test('docs/operating.md: each block is run, here or in backup-commands.test.ts', () => {
  const counts = Object.entries(blocks).map(([heading, { length }]) => [heading, length]);
  expect(Object.fromEntries(counts)).toEqual({
    'Emails to the academy': 1,
    systemd: 2,
    Containers: 2,
    Backups: 4,
  });
});

/** Commands named within sentences, in an order in which they can follow each other. */
const named = {
  'npm run staff -- invite EMAIL': /confirm\?token=[0-9a-f]+/,
  'npm run opening': /left to settle before opening/,
  'npm run staff -- reset EMAIL': /signed out everywhere/,
  'npm run staff -- remove EMAIL': /is not staff any more/,
  'npm run privacy -- erase EMAIL': /people: 1 erased/,
  'npm run privacy -- clean': /tables? written anew/,
  'npm run restore-check -- --after INV-00120 --after ADJ-00007': /Skipped: INV-00001 to INV-00120.*Mail is held/s,
  'npm run certificates -- compromised KEY DAY': /key-1 proves nothing any more/,
};

test('docs/operating.md: each command within a sentence does what the page says', async () => {
  // Another owner, for the last one stays, and a key.
  await type('npm run staff -- invite last@academy.example; npm run certificates -- rotate-key', env);
  for (const [command, says] of Object.entries(named)) {
    const text = command.replace('EMAIL', 'ada@academy.example').replace('KEY DAY', 'key-1 2026-11-22');
    expect(await type(text, env)).toMatch(says);
  }
  const run = [...Object.keys(named), ...(blocks.Backups ?? [])];
  const missing = [...operatingPage.matchAll(/`(npm run [^`]+)`/g)].flatMap(([, text = '']) =>
    run.some((one) => one.includes(text)) ? [] : text,
  );
  expect(missing).toEqual([]);
});

test('docs/operating.md: the lists of enrolments are written anew by the statement', async () => {
  const [text = ''] = /(?<=`)select list_enrolments[^`]+/.exec(operatingPage) ?? [];
  const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, () => undefined);
  await statement(database.owner, text);
  await database.close();
});

/** Folders of the system as a fresh machine has them, for one shell: nothing of it is left. */
const ownSystem = `mount -t tmpfs none /srv; mount -t tmpfs none /var/log; mkdir /var/log/nginx
cp -a /etc/. ${bin.folder}/etc; mount --bind ${bin.folder}/etc /etc
`;
const within = ['unshare', '--mount'];

test.runIf(canBeApart() && hasTool('systemd-analyze'))(
  'docs/operating.md: systemd takes the unit and its user, and a command runs with its settings',
  async () => {
    const [install = '', command = ''] = blocks.systemd ?? [];
    // The clone is this folder, which has what npm installs and builds.
    standIn(bin.folder, 'git', `ln -s ${projectRoot} "$3"`);
    standIn(bin.folder, 'npm', '');
    standIn(bin.folder, 'systemctl', '[ "$1" != enable ] || systemd-analyze verify "$3.service"');
    standIn(bin.folder, 'systemd-run', 'while case "$1" in --*) ;; *) false; esac; do shift; done\nexec "$@"');
    const ended = 'grep bowerbird: /etc/passwd; stat -c "%a %n" /etc/bowerbird/bowerbird.env';
    const said = await type(`mkdir ${bin.folder}/etc\n${ownSystem}${install}${ended}\n${command}`, env, { within });
    expect(said).toMatch(/^bowerbird:x:.*^600 .*Ada Byron <ada@academy.example> is now staff.*token=/ms);
    // What systemd-analyze finds wrong.
    expect(said).not.toMatch(/bowerbird@.*: /);
  },
);

test('docs/operating.md: compose.yaml starts from a copied .env, and a command runs in its container', async () => {
  const [compose = ''] = blocks.Containers ?? [];
  const folder = temporaryFolder();
  cpSync(path.join(projectRoot, '.env.example'), path.join(folder.folder, '.env.example'));
  standIn(bin.folder, 'docker', docker);
  expect(await type(compose, env, { cwd: folder.folder })).toMatch(/Ada Byron .* is (now|still) staff/);
  expect(existsSync(path.join(folder.folder, '.env'))).toBe(true);
  folder.remove();
});

test.runIf(hasTool('docker'))(
  'docs/operating.md: Docker takes the commands of one container, up to its daemon',
  async () => {
    const [build = '', run = ''] = blocks.Containers?.[1]?.trim().split('\n') ?? [];
    for (const command of [build, run.replace('.env', '.env.example')])
      expect(await type(`${command} || true`, { DOCKER_HOST: 'unix:///nowhere' })).toContain(
        'Cannot connect to the Docker daemon',
      );
  },
);

test.runIf(hasTool('postconf'))(
  'docs/operating.md: Postfix hands over a copy of each email to the academy',
  async () => {
    const at = ['-c', bin.folder].join(' ');
    writeFileSync(path.join(bin.folder, 'main.cf'), blocks['Emails to the academy']?.[0] ?? '');
    writeFileSync(path.join(bin.folder, 'master.cf'), '');
    expect(await type(`postconf ${at} -n`, {})).not.toContain('unused parameter');
    const answer = (map: string, key: string) => type(`postmap ${at} -q ${key} "$(postconf ${at} -h ${map})"`, {});
    const copied = (await answer('recipient_bcc_maps', 'hello@academy.example')).trim();
    const [, domain = ''] = copied.split('@');
    expect(await answer('transport_maps', domain)).toBe('smtp:[127.0.0.1]:2525\n');
    expect(await answer('smtp_generic_maps', copied)).toBe('hello@academy.example\n');
  },
);

test.runIf(canBeApart() && hasTool('nginx'))('deploy/nginx.conf: nginx takes it', async () => {
  const file = path.join(bin.folder, 'nginx.conf');
  writeFileSync(file, `events {}\nhttp { include ${projectRoot}/deploy/nginx.conf; }\n`);
  await type(`mount -t tmpfs none /var/log; mkdir /var/log/nginx; nginx -t -c ${file}`, env, { within });
});

test.runIf(hasTool('promtool'))('P94: Prometheus takes the rules in deploy/alerts.yaml', async () => {
  expect(await type('promtool check rules deploy/alerts.yaml', env)).toMatch(/SUCCESS: \d+ rules found/);
});
