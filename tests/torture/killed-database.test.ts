// @module-tag torture
import { expect, test } from 'vitest';
import { get, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { clientBackendsIn, postmastersIn } from '#tests/support/postmaster.ts';
import { killCount, killsMs } from '#tests/support/torture.ts';
import { behindProxy, confirmed, keepDoing, type Message, sendMessage, takeForms } from '#tests/support/visitors.ts';

/** PostgreSQL takes SIGQUIT for an immediate stop and SIGINT for a fast one. */
const deaths = [
  { victims: postmastersIn, signal: 'SIGKILL' },
  { victims: clientBackendsIn, signal: 'SIGKILL' },
  { victims: postmastersIn, signal: 'SIGQUIT' },
  { victims: postmastersIn, signal: 'SIGINT' },
] as const;
const rounds = Math.ceil(killCount(4, 16) / deaths.length);

test(
  `a message that was confirmed is stored, and the program is ready again by itself, after ${rounds * deaths.length} deaths of its database under load`,
  async () => {
    const data = temporaryFolder();
    fillDataFolder(data.folder);
    const program = await startProgram({ ...behindProxy, LOG_LEVEL: 'warn', DATA_DIR: data.folder });
    const messages: Message[] = [];
    const backMs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const { victims, signal } of deaths) {
        const forms = await takeForms(program.url, 60);
        const before = messages.length;
        const writing = keepDoing(3, async () => {
          const form = forms.pop();
          if (form) messages.push(await sendMessage(program.url, form));
        });
        await until(() => messages.length >= before + 5);
        const [victim = 0] = victims(data.folder);
        expect(victim).toBeGreaterThan(0);
        process.kill(victim, signal);
        const from = performance.now();
        // At first /readyz may still give the answer from before.
        await until(
          async () =>
            performance.now() - from > 1500 && (await get(`${program.url}/readyz`).catch(() => null))?.status === 200,
        );
        backMs.push(performance.now() - from);
        await writing.stop();
        expect(program.process.exitCode).toBeNull();
      }
    }
    expect(await program.end('SIGTERM')).toBe(0);
    const { told, lost } = await confirmed(data.folder, messages);
    data.remove();
    console.log(
      `${messages.length} messages, ${told} confirmed, ${lost.length} lost; ready again after ${Math.round(Math.max(...backMs))} ms at most`,
    );
    expect(told).toBeGreaterThan(0);
    // By code and reason, without the client and its settings.
    const lines = program.output().match(/^.*database connection lost.*$/gm) ?? [];
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines)
      expect(Object.keys(JSON.parse(line)).sort()).toEqual(['code', 'level', 'msg', 'reason', 'time']);
    expect(lost).toEqual([]);
  },
  killsMs(rounds * deaths.length),
);
