import type { AcademyApp } from './academy-app.ts';
import { visitor } from './enrolling.ts';
import { withLinks } from './mail-links.ts';

type Fields = Record<string, string>;

/** Who asks for a quote, unless a test says otherwise. */
export const asker = { buyerName: 'Ada Byron', organisation: 'Councilworks', email: 'ada@council.example' };

/** Who asks whom, and the three lines, unless a test says otherwise (P113). */
export const employee = {
  buyerName: 'Ada Byron',
  email: 'ada@council.example',
  organisation: 'Councilworks',
  approverName: 'Grace Hopper',
  approverEmail: 'grace@council.example',
  purpose: 'Harden our build servers',
  deadline: 'End of June',
  audience: 'The operations team',
};

/** Somebody who makes and answers quotes without JavaScript, from an address of their own. */
export function customer(academy: AcademyApp, from: string) {
  const one = visitor(academy, from);
  const wait = (seconds: number) => academy.setNow(new Date(academy.now().getTime() + seconds * 1000));
  const placeOf = (response: Response) => response.headers.get('Location') ?? '';
  /** Sends the form for a quote; the answer leads to the page that asks for the code. */
  const ask = async (query: string, fields: Fields): Promise<Response> => {
    const filled = await one.filled(`/quote?${query}`, { attendees: '1', ...asker, ...fields });
    wait(5);
    return one.post('/quote', filled);
  };
  return {
    ...one,
    ask,
    /** Makes a quote; returns the path of its private page. */
    async quote(query: string, fields: Fields): Promise<string> {
      const asked = placeOf(await ask(query, fields));
      const code = await one.code(fields.email ?? asker.email);
      return placeOf(await one.post(asked.split('?')[0] ?? '', { intent: 'make', code }));
    },
    /** Sends the form that asks an employer; the answer leads to the page that asks for the code. */
    async askEmployer(query: string, fields: Fields): Promise<Response> {
      const filled = await one.filled(`/ask-employer?${query}`, { ...employee, ...fields });
      wait(5);
      return one.post('/ask-employer', filled);
    },
    /** Accepts a quote as the page shows it, with the code of the address. */
    async accept(offer: string, email: string, fields: Fields = {}): Promise<Response> {
      const filled = await one.filled(offer, { name: 'Grace Hopper', email });
      await one.post(offer, { ...filled, intent: 'code' });
      const code = await one.code(email);
      return one.post(offer, { ...filled, code, accepted: 'on', intent: 'accept', ...fields });
    },
    placeOf,
  };
}

/** The private page of an offer, as the last email about it links to it. */
export async function offerLinkOf(academy: AcademyApp, recipient: string): Promise<string> {
  const { db } = academy.database;
  const { body_text } = await db
    .selectFrom('mails')
    .select('body_text')
    .where('recipient', '=', recipient)
    .where((mail) => mail.or([mail('kind', 'like', 'offer-%'), mail('kind', '=', 'employer-asked')]))
    .orderBy('queued_at', 'desc')
    .executeTakeFirstOrThrow();
  return /\/offer\/[0-9a-f]{48}/.exec(await withLinks(db, body_text))?.[0] ?? '';
}
