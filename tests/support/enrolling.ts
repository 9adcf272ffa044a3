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

type Fields = Record<string, string>;

/** Somebody who enrols without JavaScript, from an address of their own. */
export function visitor(academy: AcademyApp, from: string) {
  const get = (path: string) => academy.request(path, { from });
  const post = (path: string, fields: Fields = {}) =>
    academy.request(path, {
      from,
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams(fields),
    });
  /** The hidden fields of a page, with those given. */
  const filled = async (path: string, fields: Fields) => {
    const html = await (await get(path)).text();
    const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const own = hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&quot;', '"')] as const);
    return { ...Object.fromEntries(own), ...fields };
  };
  /** The code in the latest mail to an address. */
  const code = async (email: string) => {
    const { body_text } = await academy.database.db
      .selectFrom('mails')
      .select('body_text')
      .where('recipient', '=', email)
      .where('kind', '=', 'email-code')
      .orderBy('queued_at', 'desc')
      .executeTakeFirstOrThrow();
    return /\b\d{6}\b/.exec(body_text)?.[0] ?? '';
  };
  return {
    get,
    post,
    read: async (path: string) => mainText(await get(path)),
    /** Opens a page and sends its form with the fields given. */
    send: async (path: string, fields: Fields = {}) => post(path.split('?')[0] ?? '', await filled(path, fields)),
    filled,
    /** Makes a choice; returns the path of its draft, such as `/enrol/0c1d…`. */
    async choose(query: string, fields: Fields) {
      const response = await post('/enrol', await filled(`/enrol?${query}`, { attendees: '1', ...fields }));
      const path = /^\/enrol\/[0-9a-f]{48}/.exec(response.headers.get('Location') ?? '')?.[0];
      if (!path) throw new Error(`not begun: ${response.status} ${await mainText(response)}`);
      return path;
    },
    code,
    /** From the attendees up to the review. */
    async fillIn(draft: string, email: string, fields: Fields = {}) {
      await post(`${draft}/attendees`, { self: 'on' });
      await post(`${draft}/payer`, { buyerName: 'Ada Byron', email, payer: 'person', ...fields });
      await post(`${draft}/terms`, await filled(`${draft}/terms`, { accepted: 'on' }));
      return post(`${draft}/code`, { code: await code(email) });
    },
    /** Presses the button of the review. */
    place: async (draft: string) => post(`${draft}/review`, await filled(`${draft}/review`, { intent: 'place' })),
  };
}
