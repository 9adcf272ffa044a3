import { customer } from '#tests/support/quotes.ts';
import { learnEnrolment, nextBuyer } from './acts-of-buyers.ts';
import { same } from './agree.ts';
import { single } from './model.ts';
import { type Done, type Stage, wordsOf } from './stage.ts';

/** Somebody gets a quote for one or two people on a date; of a date with too few seats they get none (P112). */
export async function getQuote({ academy, model, draw }: Stage): Promise<Done> {
  const date = draw.of(model.openDates(single));
  if (!date) return null;
  const people = 1 + draw.below(2);
  const { email, name, from } = nextBuyer();
  const { ask, code, post, placeOf } = customer(academy, from);
  const fields = { [`way-${single}`]: `course-date:${date.slug}`, attendees: String(people), email, buyerName: name };
  const asked = await ask(`courseDate=${date.slug}`, fields);
  // Nobody fills in a form at once.
  academy.setNow(new Date(model.now));
  const what = `quote of ${people} on ${date.startsOn} for ${email}`;
  same(`${what} ${await wordsOf(asked)}`, asked.status, model.free(date) >= people ? 303 : 400);
  if (asked.status !== 303) return `${what}: refused`;
  const made = await post(placeOf(asked).split('?')[0] ?? '', { intent: 'make', code: await code(email) });
  same(`${what} ${await wordsOf(made)}`, placeOf(made).startsWith('/offer/'), true);
  model.quote(placeOf(made), email, date, people);
  return what;
}

/** Somebody accepts or declines a quote: for its price or today's, whichever is lower, and only as it was shown (P111). */
export async function answerQuote(stage: Stage): Promise<Done> {
  const { academy, model, draw } = stage;
  const quote = draw.of(model.quotes.filter(({ state }) => state === 'sent' || draw.chance(0.1)));
  if (!quote) return null;
  const { path, date, people, price } = quote;
  const { from, email, name } = nextBuyer();
  const { accept, post, filled, placeOf } = customer(academy, from);
  if (quote.state === 'sent' && draw.chance(0.25)) {
    const declined = await post(path, { ...(await filled(path, { words: 'Not now' })), intent: 'decline' });
    same(`decline ${await wordsOf(declined)}`, declined.status, 303);
    quote.state = 'declined';
    return `decline the quote of ${quote.email}`;
  }
  const may = model.mayAccept(quote);
  const answer =
    quote.state === 'sent' ? await accept(path, email, { name }) : await post(path, { intent: 'accept', name, email });
  const what = `accept the quote of ${quote.email} as ${email}`;
  const token = /^\/enrolment\/([0-9a-f]{48})/.exec(placeOf(answer))?.[1];
  same(`${what} ${await wordsOf(answer)}`, token !== undefined, may);
  if (token === undefined) return `${what}: refused`;
  quote.state = 'accepted';
  const paid = Math.min(price, model.priceOf(date.course));
  const chosen = [{ course: date.course, date, monday: null }];
  return learnEnrolment(stage, { email, token, people, chosen, prices: new Map([[date.course, [paid, 0]]]) });
}
