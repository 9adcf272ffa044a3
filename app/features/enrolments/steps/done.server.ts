import type { Db } from '#app/db/client.server.ts';
import type { TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import type { CourseInWords } from '#app/emails/enrolment-placed.ts';
import type { Place } from '#app/features/enrolments/enrolment.ts';
import { findLink } from '#app/features/enrolments/links.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { courseInWords, moneyDue } from '#app/features/enrolments/words.ts';
import type { Cents } from '#app/lib/money.ts';
import { findDraft } from './drafts.server.ts';

export type PlacedPage = {
  reference: string;
  title: string;
  email: string;
  accountsEmail: string | null;
  totalCents: Cents;
  /** Of the tax invoice; null when nothing was invoiced yet. */
  due: { cents: Cents; words: string } | null;
  /** `session` is the slug of its training session. */
  courses: (CourseInWords & { session: string | null })[];
  /** The token of the buyer's link, where the address has it. */
  link: string | null;
};

/** What was placed from a draft; null when there is no such draft or it was not placed. */
export async function findPlaced(
  db: Db,
  { draft: token, link }: { draft: string; link: string | null },
): Promise<PlacedPage | null> {
  const draft = await findDraft(db, token);
  if (!draft || draft.enrolmentId === null) return null;
  const enrolment = await readEnrolment(db, draft.enrolmentId);
  const found = link === null ? null : await findLink(db, link);
  const own = found?.enrolmentId === enrolment.id && found.attendeeId === null;
  const invoice = await db
    .selectFrom('tax_invoices')
    .select(['total_cents', 'facts'])
    .where('enrolment_id', '=', enrolment.id)
    .orderBy('number')
    .executeTakeFirst();
  const { reference, title, email, accountsEmail, places } = enrolment;
  return {
    reference,
    title,
    email,
    accountsEmail,
    totalCents: places.reduce((sum, { amountCents }) => sum + amountCents, 0),
    due: invoice
      ? {
          cents: invoice.total_cents,
          // Written by the command that issues invoices.
          words: moneyDue(places, invoice.facts as TaxInvoiceFacts),
        }
      : null,
    courses: [...Map.groupBy(places, ({ courseId }) => courseId).values()].flatMap(([first, ...others]) =>
      first ? [{ ...courseInWords([first, ...others]), session: sessionSlug(first) }] : [],
    ),
    link: own ? link : null,
  };
}

const sessionSlug = (place: Place) => (place.way === 'session' ? place.session.slug : null);
