import { draftOf, enroller } from '#scripts/support/enrolling.ts';
import type { AcademyApp } from './academy-app.ts';

/** The text of a page's main part as a person reads it, scripts and tags left out. */
export async function mainText(response: Response): Promise<string> {
  const html = await response.text();
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
  const plain = main.replaceAll(/<(script|select)\b.*?<\/\1>/gs, ' ').replaceAll(/<!--.*?-->|<[^>]+>/gs, ' ');
  return plain
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/[\s\u00a0]+/g, ' ');
}

/** Somebody who enrols without JavaScript, from an address of their own. */
export function visitor(academy: AcademyApp, from: string) {
  const one = enroller({
    request: (path, init) => academy.request(path, { ...init, from }),
    /** The code in the latest mail to an address. */
    async code(email) {
      const { body_text } = await academy.database.db
        .selectFrom('mails')
        .select('body_text')
        .where('recipient', '=', email)
        .where('kind', '=', 'email-code')
        .orderBy('queued_at', 'desc')
        .executeTakeFirstOrThrow();
      return /\b\d{6}\b/.exec(body_text)?.[0] ?? '';
    },
  });
  return {
    ...one,
    read: async (path: string) => mainText(await one.get(path)),
    /** Makes a choice; returns the path of its draft, such as `/enrol/0c1d…`. */
    async choose(query: string, fields: Record<string, string>) {
      const response = await one.post('/enrol', await one.filled(`/enrol?${query}`, { attendees: '1', ...fields }));
      const path = draftOf(response);
      if (!path) throw new Error(`not begun: ${response.status} ${await mainText(response)}`);
      return path;
    },
  };
}
