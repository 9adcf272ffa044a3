import { data, Form, href, Link, redirect } from 'react-router';
import { listCourses, type Nearest } from '#app/features/catalogue/listing.ts';
import { longestSearch } from '#app/features/catalogue/longest-search.ts';
import { comboPrice, isRunning } from '#app/features/catalogue/promotions/rules.ts';
import { parseListingQuery } from '#app/features/catalogue/schema.ts';
import { seatsText, standingOf, takesEnrolments } from '#app/features/course-dates/rules.ts';
import { freshChoice } from '#app/features/enrolments/enrolling/choice.ts';
import { takeChoice } from '#app/features/enrolments/enrolling/choose.server.ts';
import { datesOf } from '#app/features/enrolments/enrolling/dates-to-choose.ts';
import { itemOf, readProductToChoose } from '#app/features/enrolments/enrolling/open-draft.server.ts';
import { pricedItem, signPrices } from '#app/features/enrolments/enrolling/seen-prices.server.ts';
import {
  type Agreed,
  chargedPrices,
  mostPeopleOf,
  readManagerAsBuyer,
} from '#app/features/enrolments/organisation.server.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { readLater } from '#app/http/database-away.server.ts';
import { freshForm, readForm } from '#app/http/forms.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/enrol';
import { CheckoutHead } from './checkout-head.tsx';
import { ChoiceForm } from './choice-form.tsx';
import { signedInId } from './step-route.server.ts';

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const { db, clock, forms } = context.get(academyContext);
  const store = context.get(snapshotContext);
  const snapshot = store.current();
  const [course, courseDate, combo] = ['course', 'courseDate', 'combo'].map((name) => url.searchParams.get(name));
  const found = courseDate ? await store.courseDate(courseDate) : null;
  if (found && !found.ok) throw readLater('We cannot show this date right now. Please try again in a minute.');
  const date = found?.courseDate ?? null;
  const named =
    courseDate && !date ? null : itemOf(snapshot, { course: course ?? null, courseDate: date, combo: combo ?? null });
  const now = clock.now();
  const product = named && (await readProductToChoose(db, snapshot, named.item, { now }));
  if (!named || !product) {
    const findings = findingsOf(snapshot, store.suggester().nearest, {
      search: url.searchParams.get('search') ?? '',
      now,
    });
    return { product: null, findings, unknown: course ?? courseDate ?? combo ?? null };
  }
  const known = await agreedWithVisitor({ context, request });
  const shown = { prices: product.prices, at: now.toISOString() };
  // Named by the address, but begun, closed or full.
  const wanted = product.courses.flatMap(({ dates }) => dates).find(({ slug }) => slug === named.courseDate);
  const days = date ? formatDays(date.startDate, date.endDate) : '';
  const full = wanted?.seats === 0;
  const notice =
    date && !wanted
      ? { text: `${days} can no longer be booked. Choose another way below.`, waitingList: null }
      : full
        ? {
            text: [
              `${days} has no free seat now.`,
              wanted.kept,
              'Choose another date or way below, or wait for a seat:',
            ].join(' '),
            waitingList: `${href('/waiting-list')}?courseDate=${wanted.slug}`,
          }
        : null;
  return {
    product,
    notice,
    today: academyDay(now),
    most: mostPeopleOf(known),
    prices: chargedPrices(product.prices, known),
    seen: signPrices(forms.secret, pricedItem(product), shown),
    form: freshForm(forms, freshChoice(product, wanted && wanted.seats > 0 ? named.courseDate : null)),
  };
}

/** What is agreed with the organisation of a manager who is logged in; null for every other visitor. */
async function agreedWithVisitor(visit: Pick<Route.LoaderArgs, 'context' | 'request'>): Promise<Agreed | null> {
  const personId = await signedInId(visit);
  const manager = personId === null ? null : await readManagerAsBuyer(visit.context.get(academyContext).db, personId);
  return manager?.agreed ?? null;
}

const mostFound = 24;

/** The choice without a product in the address: search, coming dates and combos. */
function findingsOf(snapshot: Snapshot, nearest: Nearest, { search, now }: { search: string; now: Date }): Findings {
  const query = parseListingQuery(new URLSearchParams({ search }));
  const listing = listCourses(snapshot, query, nearest);
  const today = academyDay(now);
  const running = isRunning(snapshot.promotion, now);
  const path = href('/enrol');
  return {
    search: query.search,
    matching: listing.matching,
    near: listing.near,
    courses:
      query.search === ''
        ? []
        : listing.cards.slice(0, mostFound).map(({ slug, title, level, hours, priceCents }) => ({
            address: `${path}?course=${slug}`,
            title,
            text: `${level}, ${hours} hours${datesOf(snapshot.courseDates, slug, today).length > 0 ? ', has a date' : ''}`,
            priceCents,
          })),
    courseDates: snapshot.courseDates
      .filter((courseDate) => takesEnrolments(courseDate, today))
      .map((courseDate) => ({
        address: `${path}?courseDate=${courseDate.slug}`,
        title: courseDate.course.title,
        text: `${formatDays(courseDate.startDate, courseDate.endDate)}, ${deliveryText(courseDate)}, ${seatsText(courseDate, standingOf(courseDate, today))}`,
        priceCents: courseDate.course.priceCents,
      })),
    combos: snapshot.combos.map((combo) => {
      const { priceCents, savingCents } = comboPrice(combo, running);
      const saving = savingCents > 0 ? `, ${combo.discountPercent}% off` : '';
      return {
        address: `${path}?combo=${combo.slug}`,
        title: combo.title,
        text: `${combo.courses.length} courses${saving}`,
        priceCents,
      };
    }),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const result = await takeChoice(context.get(academyContext), context.get(snapshotContext).current(), {
    form: await readForm(request),
    address: context.get(clientAddressContext),
    token: null,
    personId: await signedInId({ context, request }),
  });
  if (result.ok) throw redirect(result.to, 303);
  const { db, clock, forms } = context.get(academyContext);
  const item = result.form.values.item ?? '';
  const product = await readProductToChoose(db, context.get(snapshotContext).current(), item, { now: clock.now() });
  if (!product) return data({ form: result.form, product }, { status: result.status });
  const known = await agreedWithVisitor({ context, request });
  const again = {
    product,
    today: academyDay(clock.now()),
    most: mostPeopleOf(known),
    prices: chargedPrices(product.prices, known),
    seen: signPrices(forms.secret, pricedItem(product), { prices: product.prices, at: clock.now().toISOString() }),
    form: result.form,
  };
  return data(again, { status: result.status });
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export function headers() {
  return { 'Cache-Control': 'no-store' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Enrol', 'Choose a course, a date or a combo, see what it costs, and enrol in a few steps.');

export default function Enrol({ loaderData, actionData }: Route.ComponentProps) {
  const again = actionData && 'product' in actionData && actionData.product ? actionData : null;
  const shown = again ?? (loaderData.product ? loaderData : null);
  if (!shown) {
    return (
      <>
        <CheckoutHead
          title="Enrol"
          lead={
            loaderData.product === null && loaderData.unknown !== null
              ? 'We do not offer what this address names. Choose here what you would like to take.'
              : 'Choose a course, a date or a combo. The next page shows what it costs, before you tell us anything.'
          }
        />
        {loaderData.product === null && <FindProduct {...loaderData.findings} />}
      </>
    );
  }
  const { product, prices, seen, today, most, form } = shown;
  return (
    <ChoiceForm
      key={product.item}
      form={actionData?.form ?? form}
      product={product}
      prices={prices}
      seen={seen}
      today={today}
      most={most}
      notice={!actionData && loaderData.product ? loaderData.notice : null}
      action={href('/enrol')}
    />
  );
}

type Found = { address: string; title: string; text: string; priceCents: number };
type Findings = {
  search: string;
  /** Courses that match, the first of them. */
  courses: Found[];
  matching: number;
  /** True when none matches, and these come near. */
  near: boolean;
  courseDates: Found[];
  combos: Found[];
};

/** The choice without a product in the address: a search of the catalogue, and popular courses. */
function FindProduct({ search, courses, matching, near, courseDates, combos }: Findings) {
  return (
    <div className="page grid gap-12 py-8 lg:py-12">
      <Form action={href('/enrol')} role="search" className="max-w-2xl">
        <label htmlFor="search" className="mb-1.5 block font-bold">
          Which course, certification or exam?
        </label>
        <div className="flex flex-wrap gap-2">
          <input
            id="search"
            name="search"
            type="search"
            defaultValue={search}
            maxLength={longestSearch}
            className={`${field} min-w-0 grow basis-56`}
          />
          <button type="submit" className={button.primary}>
            Search
          </button>
        </div>
      </Form>
      {search !== '' && (
        <Section title={foundTitle(search, matching, near)} found={courses}>
          {matching === 0
            ? 'Try another word, or an exam code such as SY0-701.'
            : matching > courses.length && `The first ${courses.length} are listed; add a word to narrow them.`}
        </Section>
      )}
      <Section title="Dates to come" found={courseDates} />
      <Section title="Combos" found={combos} />
    </div>
  );
}

function foundTitle(search: string, matching: number, near: boolean): string {
  if (matching === 0) return `Nothing matches “${search}”`;
  const courses = matching === 1 ? 'course' : 'courses';
  if (near)
    return `Nothing matches “${search}” exactly; ${matching} ${courses} ${matching === 1 ? 'comes' : 'come'} close`;
  return `${matching} ${courses} ${matching === 1 ? 'matches' : 'match'} “${search}”`;
}

function Section({ title, found, children }: { title: string; found: Found[]; children?: React.ReactNode }) {
  if (found.length === 0 && !children) return null;
  return (
    <section>
      <h2 className="text-3xl">{title}</h2>
      {children && <p className="mt-3 max-w-prose">{children}</p>}
      <ul className="mt-5 grid gap-3 md:grid-cols-2">
        {found.map(({ address, title: name, text, priceCents }) => (
          <li key={address}>
            <Link
              to={address}
              className="flex h-full items-start justify-between gap-4 rounded-control border border-edge bg-card px-4 py-3 hover:border-ink"
            >
              <span className="min-w-0">
                <b className="block text-link">
                  <Unbroken text={name} />
                </b>
                <span className="text-mute">
                  <Unbroken text={text} />
                </span>
              </span>
              <span className="tabular shrink-0 text-right">
                <b className="block">{formatMoney(priceCents)}</b>
                <span className="text-sm text-mute">incl. GST</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
