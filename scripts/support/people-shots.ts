import { setTimeout as sleep } from 'node:timers/promises';
import { draftOf, enroller } from './enrolling.ts';
import { runScript } from './program.ts';

/** An address of the running program and the name of its screenshot. */
export type Address = { name: string; address: string };

const firstMatch = (pattern: RegExp, text: string) => pattern.exec(text)?.[1] ?? '';

/**
 * Enrols, writes and signs in as staff at a running program, the way people do; returns the pages that are there only
 * then and the cookie that opens those of staff. `env` is what the program was started with.
 */
export async function pagesOfPeople(
  url: string,
  env: Record<string, string>,
): Promise<{ addresses: Address[]; cookie: { name: string; value: string } }> {
  const request = (path: string, init: RequestInit = {}) => fetch(new URL(path, url), { redirect: 'manual', ...init });
  const read = async (path: string) => (await request(path)).text();
  const mailTo = async (email: string) => {
    const list = await read('/mail');
    const row = list.slice(0, list.indexOf(email)).lastIndexOf('/mail/');
    return read(`${firstMatch(/(\/mail\/[0-9a-f-]{36})/, list.slice(row))}/html`);
  };
  const code = async (email: string): Promise<string> => {
    for (let turn = 0; turn < 100; turn++) {
      const found = firstMatch(/>\s*(\d{6})\s*</, await mailTo(email));
      if (found) return found;
      await sleep(200);
    }
    throw new Error(`no code reached ${email}`);
  };
  const visitor = enroller({ request, code });
  const draftFor = async (query: string, fields: Record<string, string>) => {
    const form = await visitor.filled(`/enrol?${query}`, fields);
    // A form sent within two seconds counts as a machine's (P24).
    await sleep(2500);
    const draft = draftOf(await visitor.post('/enrol', form));
    if (!draft) throw new Error(`no draft for ${query}`);
    return draft;
  };
  const session = 'session=ethical-hacker-sydney';
  const dated = { attendees: '2', 'way-certified-ethical-hacker': 'session:ethical-hacker-sydney' };
  const open = await draftFor(session, dated);
  const addresses: Address[] = ['', '/payer'].map((step) => ({
    name: `enrol-step${step.replace('/', '-')}`,
    address: open + step,
  }));

  const reviewed = await draftFor(session, dated);
  await visitor.fillIn(reviewed, 'katherine@example.com');
  addresses.push({ name: 'enrol-step-review', address: `${reviewed}/review` });

  const placed = await draftFor(session, dated);
  await visitor.fillIn(placed, 'ada@example.com', {
    payer: 'organisation',
    organisation: 'Engines Pty Ltd',
    abn: '51 824 753 556',
  });
  const doneAddress = (await visitor.place(placed)).headers.get('Location') ?? '';
  addresses.push({ name: 'enrol-step-done', address: doneAddress });
  const done = await read(doneAddress);
  const own = firstMatch(/href="(\/enrolment\/[^"/]+)"/, done);
  const reference = firstMatch(/(BB-[2-9A-HJ-NP-Z]{6})/, done);
  if (!own || !reference) throw new Error(`no enrolment at ${doneAddress}`);
  const ownPage = await read(own);
  addresses.push({ name: 'enrolment', address: own });
  for (const act of ['cancel', 'add', 'details', 'transfer', 'attendee']) {
    const path = firstMatch(new RegExp(`href="(${own}/${act}[^"]*)"`), ownPage);
    if (path) addresses.push({ name: `enrolment-${act}`, address: path });
  }

  const invite = runScript('staff.ts', ['invite', 'staff@example.com', '--name', 'Joan Clarke'], env);
  await invite.end();
  const link = firstMatch(/(http\S+\/staff\/sign-in\/\S+)/, invite.output());
  const signIn = new URL(link);
  const confirm = await visitor.filled(signIn.pathname + signIn.search, {});
  const answer = await visitor.post('/staff/sign-in/confirm', confirm);
  const [, name, value] = /([^=,\s]*sign-in[^=]*)=([^;]+)/.exec(answer.headers.get('Set-Cookie') ?? '') ?? [];
  if (!name || !value) throw new Error(`nobody signed in: ${answer.status} ${invite.output()}`);

  const staff: [string, string][] = [
    ['start', ''],
    ['enquiries', '/enquiries'],
    ['bookings', '/bookings'],
    ['conversations', '/conversations'],
    ['waiting', '/waiting'],
    ['card-payments', '/card-payments'],
    ['mail', '/mail'],
    ['sessions', '/sessions'],
    ['session-new', '/sessions/new'],
    ['session', '/sessions/ethical-hacker-sydney'],
    ['session-attendees', '/sessions/ethical-hacker-sydney/attendees'],
    ['session-move', '/sessions/ethical-hacker-sydney/move'],
    ['session-cancel', '/sessions/ethical-hacker-sydney/cancel'],
    ['enrolments', '/enrolments'],
    ['enrolment-new', '/enrolments/new'],
    ['enrolment', `/enrolments/${reference}`],
    ['enrolment-buyer', `/enrolments/${reference}/buyer`],
    ['enrolment-cancel', `/enrolments/${reference}/cancel`],
    ['payments', '/payments'],
    ['unpaid', '/unpaid'],
    ['faults', '/faults'],
    ['not-found', '/none'],
  ];
  addresses.push(...staff.map(([name, path]) => ({ name: `staff-${name}`, address: `/staff${path}` })));
  return { addresses, cookie: { name, value } };
}
