// @module-tag torture
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { freePort, type Program, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { startSmtpServer } from '#scripts/support/smtp-server.ts';
import { openDatabase } from '#server/database.ts';
import { oneSeatEach } from '#tests/support/books.ts';
import { hasFront, startHaproxy, startPgBouncer } from '#tests/support/front.ts';
import { packagedBinaries, startPackagedPostgres } from '#tests/support/packaged-postgres.ts';
import { times } from '#tests/support/torture.ts';
import { buyer } from '#tests/support/two-programs.ts';
import { behindProxy, confirmedIn, startVisitors } from '#tests/support/visitors.ts';

const people = times(60, 200);

/** Three programs behind HAProxy, on one PostgreSQL behind PgBouncer in transaction mode. */
async function startThree() {
  const [postgres, data, smtp] = [await startPackagedPostgres(), temporaryFolder(), await startSmtpServer({})];
  const bouncer = await startPgBouncer(postgres);
  const ports = [await freePort(), await freePort(), await freePort()];
  const start = (port: number, at: number) =>
    startProgram({
      ...behindProxy,
      LOG_LEVEL: 'warn',
      DATA_DIR: `${data.folder}/${at}`,
      DATABASE_URL: bouncer.url,
      DATABASE_DIRECT_URL: postgres.url(),
      BASE_URL: 'http://academy.example',
      PORT: String(port),
      SHUTDOWN_GRACE: '3',
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      TODAY: '2025-09-08',
    });
  const programs: Program[] = [];
  for (const [at, port] of ports.entries()) programs.push(await start(port, at));
  const front = await startHaproxy(ports);
  const { db, close } = await openDatabase({ dataDir: data.folder, databaseUrl: postgres.url() }, () => undefined);
  return {
    db,
    smtp,
    front,
    programs,
    async replace(at: number, signal: NodeJS.Signals) {
      const code = await programs[at]?.end(signal);
      programs[at] = await start(ports[at] ?? 0, at);
      return code;
    },
    async close() {
      await front.stop();
      for (const program of programs) await program.end('SIGTERM');
      await close();
      await bouncer.stop();
      await postgres.stop();
      await smtp.close();
      data.remove();
    },
  };
}

test.runIf(hasFront && packagedBinaries)(
  `P90: three programs behind HAProxy and PgBouncer sell six seats to ${people} buyers though one is killed, and lose no request when all are replaced`,
  async () => {
    const academy = await startThree();
    let refusals = 0;
    const shop = { programs: [academy.front], smtp: academy.smtp };
    const crowd = Array.from({ length: people }, (_, at) => buyer(shop, at + 1, () => refusals++));
    const forms: Record<string, string>[] = [];
    for (const one of crowd) forms.push(await one.form('cissp-melbourne', 'cissp'));
    const from = performance.now();
    let told = 0;
    const answers = crowd.map(async (one, at) => {
      const chosen = await one.choose(forms[at] ?? {});
      told++;
      return one.enrol(chosen, `buyer@company-${at}.example`);
    });
    while (told === 0) await sleep(10);
    await academy.replace(0, 'SIGKILL');
    const enrolled = (await Promise.all(answers)).filter(Boolean).length;
    const seconds = (performance.now() - from) / 1000;

    const visitors = startVisitors(() => [academy.front.url]);
    const codes: (number | null | undefined)[] = [];
    for (const at of [0, 1, 2]) codes.push(await academy.replace(at, 'SIGTERM'));
    const { requests, messages, faults } = await visitors.stop();
    const { told: confirmed, lost } = await confirmedIn(academy.db, messages);
    const { rows } = await sql<{ sold: number }>`select count(*)::integer as sold from places p
      join course_dates s on s.id = p.course_date_id
      where s.slug = 'cissp-melbourne' and p.state = 'active'`.execute(academy.db);
    await oneSeatEach(academy.db);
    await academy.close();
    console.log(
      `${people} buyers answered after ${seconds.toFixed(1)} s, pressed again ${refusals} times, ${enrolled} enrolled; three replaced: ${requests} requests, ${faults.length} lost, ${confirmed} messages confirmed, ${lost.length} lost`,
    );
    expect({ enrolled, rows }).toEqual({ enrolled: 6, rows: [{ sold: 6 }] });
    expect({ codes, faults, lost }).toEqual({ codes: [0, 0, 0], faults: [], lost: [] });
  },
);
