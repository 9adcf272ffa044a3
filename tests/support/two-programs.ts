import { setTimeout as sleep } from 'node:timers/promises';
import { draftOf, enroller } from '#scripts/support/enrolling.ts';
import { type Program, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { startSmtpServer } from '#scripts/support/smtp-server.ts';
import { until } from '#scripts/support/until.ts';
import { openDatabase } from '#server/database.ts';
import { fillDataFolder } from './data-folder.ts';

/** Two programs on one database, which outlives both, and a mail server that takes everything. */
export async function startTwoPrograms() {
  const smtp = await startSmtpServer({});
  const data = temporaryFolder();
  fillDataFolder(data.folder);
  const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, () => undefined);
  const start = () =>
    startProgram({
      DATA_DIR: data.folder,
      TODAY: '2025-09-08',
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      TRUSTED_PROXIES: '127.0.0.1,::1,::ffff:127.0.0.1',
      LOG_LEVEL: 'error',
      SHED_AFTER: '5000',
    });
  const programs: Program[] = [await start(), await start()];
  return {
    db: database.db,
    smtp,
    programs,
    /** Kills one of them (kill -9) and starts another in its place. */
    async killAndStart(which: number): Promise<void> {
      await programs[which]?.end('SIGKILL');
      programs[which] = await start();
    },
    async close(): Promise<void> {
      for (const program of programs) await program.end('SIGTERM');
      await database.close();
      await smtp.close();
      data.remove();
    },
  };
}

type Shop = { programs: readonly { url: string }[]; smtp: Awaited<ReturnType<typeof startSmtpServer>> };

/**
 * A person with a network of their own who enrols without JavaScript. They press again until a program answers: the
 * asked one may be killed, or may say that many people are enrolling. `refused` gets each such answer.
 */
export function buyer({ programs, smtp }: Shop, number: number, refused: () => void = () => undefined) {
  const from = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('X-Forwarded-For', from);
    for (let turn = number; ; turn++) {
      const sent = { ...init, headers, redirect: 'manual', signal: AbortSignal.timeout(30_000) } as const;
      const response = await fetch(`${programs[turn % programs.length]?.url}${path}`, sent).catch(() => null);
      if (response && response.status < 500) return response;
      await response?.text().catch(() => '');
      refused();
      await sleep(100);
    }
  }
  /** The code as a person reads it in their mail; after a while they ask for another one. */
  async function code(email: string, again: () => Promise<unknown> = async () => undefined): Promise<string> {
    const found = () => {
      const mails = smtp.taken.filter(({ recipient }) => recipient === email).reverse();
      return mails.map(({ raw }) => /^\s*(\d{6})\s*$/m.exec(raw.slice(raw.indexOf('\r\n\r\n')))?.[1]).find(Boolean);
    };
    for (const patienceMs of [10_000, 20_000]) {
      const arrived = await until(() => found() !== undefined, patienceMs).then(
        () => true,
        () => false,
      );
      if (arrived) return found() ?? '';
      await again();
    }
    await until(() => found() !== undefined);
    return found() ?? '';
  }
  const { filled, post, fillIn, place } = enroller({ request, code });
  return {
    /** The form of one seat in a course date, filled in. */
    form: (date: string, course: string) =>
      filled(`/enrol?courseDate=${date}`, { attendees: '1', [`way-${course}`]: `course-date:${date}` }),
    choose: (form: Record<string, string>) => post('/enrol', form),
    /** The rest of the way from a choice that was taken; whether the page says that the buyer is enrolled. */
    async enrol(chosen: Response, email: string): Promise<boolean> {
      const draft = draftOf(chosen);
      if (!draft) return false;
      // On a busy machine a second code may be asked for before the first has come, which is then refused.
      for (let press = 0; press < 3; press++) {
        await fillIn(draft, email);
        if (((await place(draft)).headers.get('Location') ?? '').includes('/done')) return true;
      }
      return false;
    },
  };
}
