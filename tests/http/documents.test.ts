import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawHere } from '#app/documents/draw.ts';
import { projectRoot } from '#app/env.server.ts';
import { createThreadQueue } from '#app/lib/thread-queue.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { startThread } from '#server/thread.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { brochure } from '#tests/support/brochure-facts.ts';
import { invoiceFacts, noteFacts } from '#tests/support/money-facts.ts';
import { torture } from '#tests/support/torture.ts';

let academy: AcademyApp;
const made = temporaryFolder();
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(async () => {
  await academy.close();
  made.remove();
});

const invoice = { kind: 'tax-invoice', facts: invoiceFacts } as const;
const note = { kind: 'adjustment-note', facts: noteFacts } as const;
const named = (name: string) =>
  ({ kind: 'tax-invoice', facts: { ...invoiceFacts, buyer: { ...invoiceFacts.buyer, name } } }) as const;

test('P30: the built program’s thread draws the bytes that any other program draws', async () => {
  const { documents } = academy.services;
  for (const document of [invoice, named('王小明')]) {
    const drawn = await documents.draw(document, '192.0.2.7');
    expect(drawn.ok && Buffer.from(drawn.bytes).equals(await drawHere(document))).toBe(true);
  }
});

test('mail, download and another download of one invoice at once are the same bytes', async () => {
  const { documents } = academy.services;
  const asked = [documents.draw(note, null), documents.draw(invoice, null), documents.draw(invoice, '192.0.2.8')];
  const [, first, second] = await Promise.all(asked);
  expect(first?.ok && second?.ok && first.bytes === second.bytes).toBe(true);
});

test('facts that cannot be drawn throw for the caller, and the thread draws on', async () => {
  const { documents } = academy.services;
  const broken = { kind: 'course-brochure', facts: brochure, art: 'no drawing' } as const;
  await expect(documents.draw(broken, null)).rejects.toThrow();
  expect(await documents.draw(invoice, null)).toMatchObject({ ok: true });
});

test('brochure and sample certificate are the same file in every program, whenever it is drawn', async () => {
  const beside = await openAcademyApp({ beside: academy });
  try {
    beside.setNow(new Date('2025-09-08T05:30:00Z'));
    for (const file of ['brochure', 'certificate-sample']) {
      const [one, other] = await Promise.all(
        [academy, beside].map(async (program) => {
          const response = await program.request(`/course/cissp/${file}.pdf`);
          expect(response.status).toBe(200);
          return Buffer.from(await response.arrayBuffer());
        }),
      );
      expect(other && one?.equals(other)).toBe(true);
    }
  } finally {
    await beside.close();
  }
});

test('the thread that serves does not load the code that draws documents', () => {
  const main = readFileSync(path.join(projectRoot, 'build/server/index.js'), 'utf8');
  expect(main).toContain('document-thread');
  expect(main).not.toMatch(/@react-pdf|pdfkit|harfbuzzjs/);
});

torture('a thread that ends or hangs is replaced, and a document that fails twice is reported', async () => {
  const file = path.join(made.folder, 'thread.mjs');
  writeFileSync(
    file,
    `import { parentPort, threadId } from 'node:worker_threads';
     parentPort.on('message', (task) => {
       if (task === 'exit') process.exit(3);
       if (task === 'throw') setImmediate(() => { throw new Error('out of reach'); });
       else if (task === 'hang') for (;;);
       else parentPort.postMessage({ done: true, result: task + ' in ' + threadId });
     });`,
  );
  const troubles: string[] = [];
  const queue = createThreadQueue<string, string>({
    start: (listeners) => startThread(pathToFileURL(file), 'test', listeners),
    keyOf: (task) => task,
    limitMs: 3000,
    mostWaiting: 10,
    onTrouble: (why) => troubles.push(why),
  });
  const answers = await Promise.all(['a', 'exit', 'throw', 'hang', 'b'].map((task) => queue.run(task, 'x')));
  const [first, exited, thrown, hung, last] = answers;
  expect([exited, thrown, hung]).toEqual([
    { ok: false, why: 'died' },
    { ok: false, why: 'died' },
    { ok: false, why: 'too-long' },
  ]);
  expect([first?.ok, last?.ok, first?.ok && last?.ok && first.result !== last.result]).toEqual([true, true, true]);
  expect(troubles).toEqual(['exit 3', 'exit 3', 'out of reach', 'out of reach', 'a task took longer than 3000 ms']);
  await queue.close();
});
