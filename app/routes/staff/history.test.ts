import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { actionInWords } from '#app/features/people/action-words.ts';

test('P69: every action that the program writes down is told in words', () => {
  const files = globSync('app/**/*.server.ts', { cwd: projectRoot });
  const written = files.flatMap((file) => {
    const text = readFileSync(path.join(projectRoot, file), 'utf8');
    return [...text.matchAll(/\b(?:action: |done\()'([a-z-]+)'/g)].map(([, action = '']) => action);
  });
  expect(written.length).toBeGreaterThan(40);
  // What staff do in a chat is written by the kind of its message.
  const unknown = [...new Set([...written, 'answer', 'closed', 'opened'])].filter((action) =>
    actionInWords(action).startsWith('did “'),
  );
  expect(unknown).toEqual([]);
});
