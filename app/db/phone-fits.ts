import { type RawBuilder, sql } from 'kysely';

/** Of person_words: a telephone number in any spelling, or its beginning; also an Australian one without its first 0. */
export function phoneFits(phone: string): RawBuilder<boolean> {
  const beginning = (typed: string) => sql`to_tsquery('simple', phone_word(${typed}) || ':*')`;
  const local = /^\D*0/.test(phone) ? phone : `0${phone}`;
  return sql<boolean>`words @@ (${beginning(phone)} || ${beginning(local)})`;
}
