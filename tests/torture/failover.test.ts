// @module-tag torture
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { packagedBinaries, startPackagedPostgres } from '#tests/support/packaged-postgres.ts';
import { statement } from '#tests/support/statement.ts';
import { startTcpProxy } from '#tests/support/tcp-proxy.ts';
import { times } from '#tests/support/torture.ts';
import { behindProxy, confirmedIn, keepDoing, sendMessage, startVisitors, takeForms } from '#tests/support/visitors.ts';

/** How a primary is lost: it ends, it hangs, or it is still there and takes no writes. */
const losses = (['hangs', 'is killed', 'only reads'] as const).slice(0, times(1, 3));
/** Ten on a quiet machine (P91). Connections to the lost one that are kept would be dead for minutes. */
const mostSeconds = 60;

test.runIf(packagedBinaries).each(losses)(
  'P91: a standby takes over when the primary %s: pages are answered, no confirmed message is lost, nothing is restarted',
  async (loss) => {
    const [primary, data] = [await startPackagedPostgres(), temporaryFolder()];
    const standby = await primary.startStandby();
    const proxy = await startTcpProxy(primary.socket);
    const program = await startProgram({
      ...behindProxy,
      DATA_DIR: data.folder,
      DATABASE_URL: `postgres://bowerbird@127.0.0.1:${proxy.port}/bowerbird`,
    });
    let isAway = false;
    const visitors = startVisitors(
      () => [program.url],
      () => isAway,
    );
    const written: number[] = [];
    const writing = keepDoing(8, async () => {
      const [form] = await takeForms(program.url, 1).catch(() => []);
      if (form && (await sendMessage(program.url, form, 12_000)).isTold) written.push(performance.now());
    });
    await sleep(6_000);
    isAway = true;
    const lostAt = performance.now();
    await lose(primary, loss);
    await sleep(2_000);
    await standby.promote();
    proxy.lead(standby.socket);
    const promotedAt = performance.now();
    await until(() => written.some((at) => at > promotedAt));
    // What was asked while it was away may still be answered.
    await sleep(15_000);
    isAway = false;
    await sleep(3_000);
    await writing.stop();
    const { requests, messages, faults } = await visitors.stop();
    const db = createDb({ connectionString: standby.url() }, () => undefined);
    const { told, lost } = await confirmedIn(db, messages);
    await db.destroy();
    expect(await program.end('SIGTERM')).toBe(0);
    await proxy.close();
    await standby.end();
    if (loss !== 'is killed') for (const pid of primary.processes()) process.kill(pid, 'SIGKILL');
    primary.remove();
    data.remove();
    const back = written.find((at) => at > promotedAt) ?? Number.POSITIVE_INFINITY;
    const last = written.findLast((at) => at < promotedAt) ?? lostAt;
    const [without, after] = [back - last, back - promotedAt].map((ms) => ms / 1000);
    console.log(
      `${loss}: ${requests} requests, ${faults.length} faults, ${told} messages confirmed, ${lost.length} lost; ${without?.toFixed(1)} s without writes, of which ${after?.toFixed(1)} s after the standby took over`,
    );
    expect({ faults, lost }).toEqual({ faults: [], lost: [] });
    expect(after).toBeLessThan(mostSeconds);
  },
);

async function lose(
  { processes, url }: Awaited<ReturnType<typeof startPackagedPostgres>>,
  loss: (typeof losses)[number],
): Promise<void> {
  if (loss === 'only reads') {
    // Connections that are open keep to what they were told when a statement begins.
    const server = { connectionString: url() };
    await statement(server, 'alter system set default_transaction_read_only = on');
    await statement(server, 'select pg_reload_conf()');
    return;
  }
  for (const pid of processes()) process.kill(pid, loss === 'hangs' ? 'SIGSTOP' : 'SIGKILL');
}
