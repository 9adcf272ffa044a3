type Fields = Record<string, string>;

/** A person's connection to the program. */
type Way = {
  /** Requests a path; redirects are not followed. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The latest code mailed to an address; `again` asks for another one. */
  code(email: string, again?: () => Promise<unknown>): Promise<string>;
};

/** The hidden fields of a page. */
function hiddenOf(html: string): Fields {
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&quot;', '"')]));
}

/** Somebody who enrols without JavaScript. */
export function enroller({ request, code }: Way) {
  const get = (path: string) => request(path);
  const post = (path: string, fields: Fields = {}) =>
    request(path, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams(fields),
    });
  /** The hidden fields of a page, with those given. */
  const filled = async (path: string, fields: Fields) => {
    return { ...hiddenOf(await (await get(path)).text()), ...fields };
  };
  /** The address that each draft was filled in with. */
  const buyers = new Map<string, string>();
  return {
    get,
    post,
    filled,
    code,
    /** Opens a page and sends its form with the fields given. */
    send: async (path: string, fields: Fields = {}) => post(path.split('?')[0] ?? '', await filled(path, fields)),
    /** Fills in who pays, and leads on to the last step; the code is on its way then. */
    async fillIn(draft: string, email: string, fields: Fields = {}) {
      buyers.set(draft, email);
      return post(`${draft}/payer`, { buyerName: 'Ada Byron', email, payer: 'person', self: 'on', ...fields });
    },
    /** Accepts the terms and presses the last button, with the code of the mail unless the address is confirmed already. */
    async place(draft: string) {
      const review = `${draft}/review`;
      const html = await (await get(review)).text();
      const email = buyers.get(draft) ?? '';
      const again = () => post(review, { intent: 'again' });
      if (/no longer works|have not sent a code/.test(html)) await again();
      const fields: Fields = { ...hiddenOf(html), accepted: 'on', intent: 'place' };
      if (html.includes('name="code"')) fields.code = await code(email, again);
      return post(review, fields);
    },
  };
}

/** The path of the draft that an answer to a choice leads to, such as `/enrol/0c1d…`; undefined when it was refused. */
export function draftOf(response: Response): string | undefined {
  return /^\/enrol\/[0-9a-f]{48}/.exec(response.headers.get('Location') ?? '')?.[0];
}
