type Fields = Record<string, string>;

/** How somebody reaches the program. */
type Way = {
  /** Requests a path; redirects are not followed. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The latest code mailed to an address; `again` asks for another one. */
  code(email: string, again?: () => Promise<unknown>): Promise<string>;
};

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
    const html = await (await get(path)).text();
    const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const own = hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&quot;', '"')] as const);
    return { ...Object.fromEntries(own), ...fields };
  };
  return {
    get,
    post,
    filled,
    code,
    /** Opens a page and sends its form with the fields given. */
    send: async (path: string, fields: Fields = {}) => post(path.split('?')[0] ?? '', await filled(path, fields)),
    /** From the attendees up to the review. */
    async fillIn(draft: string, email: string, fields: Fields = {}) {
      await post(`${draft}/attendees`, { self: 'on' });
      await post(`${draft}/payer`, { buyerName: 'Ada Byron', email, payer: 'person', ...fields });
      await post(`${draft}/terms`, await filled(`${draft}/terms`, { accepted: 'on' }));
      const again = () => post(`${draft}/code`, { intent: 'again' });
      return post(`${draft}/code`, { code: await code(email, again) });
    },
    /** Presses the button of the review. */
    place: async (draft: string) => post(`${draft}/review`, await filled(`${draft}/review`, { intent: 'place' })),
  };
}

/** The path of the draft that an answer to a choice leads to, such as `/enrol/0c1d…`; undefined when it was refused. */
export function draftOf(response: Response): string | undefined {
  return /^\/enrol\/[0-9a-f]{48}/.exec(response.headers.get('Location') ?? '')?.[0];
}
