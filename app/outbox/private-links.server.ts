import { createContext } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { placeholderOf } from './mail.ts';

/** A kind of thing that a mail names and each attempt fills in, such as a link to a booking. `ids` are of its name. */
export type Filling = {
  /** Whether it is there and concerns the recipient: nobody is sent a link to what is another person's by now. */
  concerns(db: Db, ids: readonly number[], recipient: string): Promise<boolean>;
  /** Makes it; a link is whole, with the public origin. */
  make(trx: Db, ids: readonly number[], origin: string): Promise<string>;
  /** Ends links that nobody was sent. */
  end(trx: Db, links: readonly string[]): Promise<void>;
};

/**
 * What mails name instead of holding it, private links above all (decision 55). A link is made for each attempt, and its
 * token is nowhere in the database but as a hash.
 */
export type PrivateLinks = {
  /** Whether everything a mail names can be filled in for its recipient. */
  lead(db: Db, mail: Named): Promise<boolean>;
  /** Makes everything a mail names, by name; null when something is gone or concerns somebody else by now. */
  make(trx: Db, mail: Named): Promise<Filled | null>;
  /** Ends the links of an attempt that was surely not handed over. */
  end(trx: Db, filled: Filled): Promise<void>;
};

/** Of a mail, to whom it goes and what it names. */
type Named = { recipient: string; links: readonly string[] };
export type Filled = ReadonlyMap<string, string>;

/** For pages that send mail again or show it. */
export const privateLinksContext = createContext<PrivateLinks>();

/** Private links of these kinds, under a public origin. */
export function privateLinks(kinds: Readonly<Record<string, Filling>>, origin: string): PrivateLinks {
  const kindOf = (name: string) => {
    const [kind = '', ...ids] = name.split(':');
    const filling = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (!filling) throw new Error(`a mail names ${name}, of which there is no kind`);
    return { filling, ids: ids.map(Number) };
  };
  const lead: PrivateLinks['lead'] = async (db, { recipient, links }) => {
    for (const name of links) {
      const { filling, ids } = kindOf(name);
      if (!(await filling.concerns(db, ids, recipient))) return false;
    }
    return true;
  };
  return {
    lead,
    async make(trx, mail) {
      if (!(await lead(trx, mail))) return null;
      const filled = new Map<string, string>();
      for (const name of mail.links) {
        const { filling, ids } = kindOf(name);
        filled.set(name, await filling.make(trx, ids, origin));
      }
      return filled;
    },
    async end(trx, filled) {
      for (const [name, made] of filled) await kindOf(name).filling.end(trx, [made]);
    },
  };
}

/** The token at the end of a link. */
export const tokenOf = (link: string): string => link.slice(link.lastIndexOf('/') + 1);

/** The words of a mail with everything in them that it names; what people typed in the same form stays as it is. */
export function filledIn(words: { text: string; html: string }, filled: Filled): { text: string; html: string } {
  let { text, html } = words;
  for (const [name, made] of filled) {
    text = text.replaceAll(placeholderOf(name), () => made);
    html = html.replaceAll(placeholderOf(name), () => escaped(made));
  }
  return { text, html };
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
