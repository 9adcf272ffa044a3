import { useState } from 'react';
import { Form, href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { termsToAccept } from '#app/features/catalogue/site/terms.ts';
import type { Offer } from '#app/features/companies/offer.ts';
import { lastDayFrom } from '#app/features/companies/rules.ts';
import {
  findOfferForStaff,
  listOrganisations,
  organisationForOffer,
} from '#app/features/companies/staff-queries.server.ts';
import { mostSeats } from '#app/features/course-dates/rules.ts';
import { findProduct, readSaleable, waysOf } from '#app/features/enrolments/choices-for-staff.server.ts';
import { findEnquiryForStaff } from '#app/features/inbox/enquiries/inbox.server.ts';
import { agreedPrices, type CoursePrice, quoteOfPrices } from '#app/features/money/pricing.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { centsTyped, formatCents, formatExact } from '#app/lib/exact-money.ts';
import { wayFieldOf } from '#app/routes/staff/enrolments/way-field.tsx';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { select } from '#app/ui/field.ts';
import { SelectField, TextArea, TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, OnlyWith, SendButton } from '#app/ui/staff/act-form.tsx';
import { actButton } from '#app/ui/staff/button.ts';
import { Options } from '#app/ui/staff/choices.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/offer-new';
import { takeOffer } from './offer-acts.server.ts';
import { idOf } from './offer-words.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'companies:change');
  const academy = context.get(academyContext);
  const { now, today } = momentOf(academy);
  const snapshot = context.get(snapshotContext).current();
  return unlessDatabaseAway(async () => {
    const begun = await beginWith(academy.db, actor, url.searchParams);
    const item = url.searchParams.get('item') ?? itemOfOffer(snapshot, begun.offer) ?? begun.item;
    const saleable = await readSaleable(academy.db, actor);
    const product = item === '' ? null : await findProduct(academy.db, actor, item, now);
    const kept: Record<string, string> = { ...begun.keeps, ...(item && { item }) };
    if (!product) return { item, kept, saleable, product: null };
    const courses = [];
    for (const course of product.courses) {
      const ways = await waysOf(academy.db, actor, course, { ...product, modules: 1 }, today);
      courses.push({ id: course.id, title: course.title, ways: ways.map(({ value, text }) => [value, text] as const) });
    }
    const { totalCents, discount } = quoteOfPrices(product.prices, 1);
    const organisations = await listOrganisations(academy.db, actor);
    return {
      item,
      kept,
      saleable,
      product: {
        title: product.title,
        courses,
        price: `${formatExact(totalCents)} incl. GST for each person${discount ? `, ${discount}` : ''}`,
        prices: product.prices,
      },
      organisations: organisations.map(({ id, legal_name }) => [String(id), legal_name] as const),
      form: blankStaffForm(0, {
        people: '1',
        discountPercent: '0',
        hold: 'two-days',
        lastDay: lastDayFrom(today, []),
        ...begun.values,
        ...dateAsked(product.courses, url.searchParams),
      }),
    };
  });
}

/** The date and the number of people that a private date's page asks for (P114). */
function dateAsked(courses: readonly { id: number }[], query: URLSearchParams): Record<string, string> {
  const [date, people] = ['date', 'people'].map((name) => idOf(query.get(name) ?? ''));
  const [first] = courses;
  if (!first || !date) return {};
  return { [wayFieldOf(first.id)]: `course-date:${date}`, ...(people && { people: String(people) }) };
}

type Begun = {
  /** The address goes on with these. */
  keeps: Record<string, string>;
  item: string;
  values: Record<string, string | null>;
  offer: Offer | null;
};

/** What a quote begins with: a draft, the version before, an enquiry, an organisation, or nothing. */
async function beginWith(db: Db, actor: StaffActor, query: URLSearchParams): Promise<Begun> {
  const of = (name: string) => query.get(name) ?? '';
  const offerId = idOf(of('draft')) || idOf(of('replaces'));
  if (offerId) {
    const found = await findOfferForStaff(db, actor, offerId);
    const key = of('draft') ? 'draft' : 'replaces';
    if (found)
      return { keeps: { [key]: String(offerId) }, item: '', values: valuesOf(found.offer, key), offer: found.offer };
  }
  const organisation = await organisationForOffer(db, actor, idOf(of('organisation')));
  if (organisation) {
    const { id, legalName, abn, address, discountPercent, manager } = organisation;
    const values = {
      ...{ organisation: legalName, abn, address, organisationId: String(id) },
      ...{ discountPercent: String(discountPercent), name: manager?.name ?? '', email: manager?.email ?? '' },
    };
    return { keeps: { organisation: String(id) }, item: '', values, offer: null };
  }
  const enquiry = of('enquiry') === '' ? null : await findEnquiryForStaff(db, actor, of('enquiry'));
  if (!enquiry) return { keeps: {}, item: '', values: {}, offer: null };
  const details = enquiry.details as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const values = {
    name: `${enquiry.first_name} ${enquiry.last_name}`.trim(),
    email: enquiry.email,
    organisation: text(details.company),
    ...(/^\d{1,2}$/.test(text(details.attendees)) && { people: text(details.attendees) }),
  };
  return {
    keeps: { enquiry: enquiry.reference },
    item: text(details.item) || text(details.about),
    values,
    offer: null,
  };
}

function valuesOf(offer: Offer, key: 'draft' | 'replaces'): Record<string, string | null> {
  const { name, email, organisation, abn, address, organisationId, words, lastDay, hold } = offer;
  const ways = offer.lines.map(({ choice }) => [
    wayFieldOf(choice.courseId),
    choice.way === 'date'
      ? `course-date:${choice.courseDateId}`
      : choice.way === 'guided'
        ? `guided:${choice.from}`
        : choice.way,
  ]);
  return {
    ...{ name, email, organisation, abn, address, words, hold },
    ...(key === 'draft' && { lastDay }),
    organisationId: organisationId === null ? '' : String(organisationId),
    people: String(offer.people),
    discountPercent: String(offer.discountPercent),
    seatPrice: offer.seatCents === null ? '' : formatCents(offer.seatCents),
    [key]: String(offer.id),
    ...Object.fromEntries(ways),
  };
}

/** The course or combo of an offer, as the addresses of staff name it. */
function itemOfOffer(
  { combos }: { combos: readonly { id: number; slug: string }[] },
  offer: Offer | null,
): string | null {
  if (offer === null) return null;
  const combo = combos.find(({ id }) => id === offer.comboId);
  if (combo) return `combo:${combo.slug}`;
  return offer.comboId === null ? `course:${offer.lines[0]?.slug}` : '';
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const actor = staffFor(context, 'companies:change');
  const termsId = termsToAccept(context.get(snapshotContext).current());
  const item = url.searchParams.get('item') ?? '';
  const asked = { form: await readForm(request), item, actor, termsId };
  const result = await takeOffer(context.get(academyContext), asked);
  const id = result.id === undefined ? null : String(result.id);
  return answerForm(result, id ? href('/staff/offers/:id', { id }) : href('/staff/offers'));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Make a quote');

const labels: Record<string, string> = {
  name: 'Name',
  email: 'Email',
  organisation: 'Organisation',
  abn: 'ABN',
  address: 'Address',
  organisationId: 'Known organisation',
  people: 'People',
  discountPercent: 'Discount in per cent',
  seatPrice: 'Price for one person',
  lastDay: 'Last day',
  hold: 'Hold the seats',
  words: 'Words to the customer',
};

/** `12 people at AU$1,000.00: AU$12,000.00 incl. GST`, as the fields say; null while one of them is no number. */
function totalText(prices: readonly CoursePrice[], fields: Record<string, unknown>): string | null {
  const [people = '', percent = '', seat = ''] = [fields.people, fields.discountPercent ?? '0', fields.seatPrice].map(
    (value) => String(value ?? '').trim(),
  );
  const seatCents = seat === '' ? null : centsTyped(seat);
  if (!/^[1-9]\d?$/.test(people) || !/^\d\d?$/.test(percent) || (seat !== '' && seatCents === null)) return null;
  const agreed = agreedPrices(prices, { name: null, percent: Number(percent), seatCents });
  const count = Number(people);
  const each = formatExact(quoteOfPrices(agreed, 1).totalCents);
  return `${count === 1 ? '1 person' : `${count} people`} at ${each}: ${formatExact(quoteOfPrices(agreed, count).totalCents)} incl. GST`;
}

export default function OfferNew({ loaderData, actionData }: Route.ComponentProps) {
  const { item, kept, saleable, product } = loaderData;
  const form = actionData?.form ?? (loaderData.product ? loaderData.form : null);
  const [typed, setTyped] = useState<Record<string, unknown>>({});
  const total = product && form && totalText(product.prices, { ...form.values, ...typed });
  return (
    <>
      <Back to={href('/staff/offers')}>Quotes</Back>
      <h1 className="mb-6 text-2xl">
        {kept.replaces ? 'A new version of the quote' : kept.draft ? 'Change the draft' : 'Make a quote'}
      </h1>
      <Form
        action={href('/staff/offers/new')}
        className="mb-6 grid max-w-3xl gap-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-end"
      >
        {Object.entries(kept)
          .filter(([name]) => name !== 'item')
          .map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
        <label>
          <span className="mb-1.5 block font-bold">Course or combo</span>
          <select name="item" defaultValue={item} className={select}>
            <option value="">Choose a course or combo</option>
            <optgroup label="Combos">
              <Options of={saleable.combos.map((combo) => [combo.item, combo.title])} />
            </optgroup>
            <optgroup label="Courses">
              <Options of={saleable.courses.map((course) => [course.item, course.title])} />
            </optgroup>
          </select>
        </label>
        <button type="submit" className={actButton.quiet}>
          {item === '' ? 'Continue' : 'Change it'}
        </button>
      </Form>
      {item !== '' && !product && <Words>We do not offer this. Choose something else.</Words>}
      {loaderData.product && form && (
        <>
          <ErrorSummary
            form={form}
            labels={{
              ...labels,
              ...Object.fromEntries(loaderData.product.courses.map(({ id, title }) => [wayFieldOf(id), title])),
            }}
            formId="offer-form"
          />
          <ActForm
            key={item}
            id="offer-form"
            act={null}
            form={form}
            needs="companies:change"
            to={`${href('/staff/offers/new')}?${new URLSearchParams(kept)}`}
            className="grid max-w-3xl gap-6"
            onInput={({ currentTarget }) => setTyped(Object.fromEntries(new FormData(currentTarget)))}
            carries={{ draft: form.values.draft ?? '', replaces: form.values.replaces ?? '' }}
            stays={false}
          >
            <p className="text-lg">
              <b>{loaderData.product.title}</b>, {loaderData.product.price}
            </p>
            {loaderData.product.courses.map(({ id, title, ways }) => (
              <SelectField
                key={id}
                form={form}
                name={wayFieldOf(id)}
                label={loaderData.product.courses.length === 1 ? 'How they take it' : title}
                required
              >
                <Options none="Choose" of={ways} />
              </SelectField>
            ))}
            <div className="grid gap-6 sm:grid-cols-2">
              <div className="grid sm:col-span-2 sm:grid-cols-2 sm:gap-6">
                <TextField
                  form={form}
                  name="people"
                  label={labels.people ?? ''}
                  hint={`Up to ${mostSeats.organisation}.`}
                  inputMode="numeric"
                  required
                />
              </div>
              <OnlyWith permission="money:refund">
                <TextField
                  form={form}
                  name="discountPercent"
                  label={labels.discountPercent ?? ''}
                  hint="Off each course’s own price. A combo’s saving counts instead if it is larger."
                  inputMode="numeric"
                  required
                />
                <TextField
                  form={form}
                  name="seatPrice"
                  label={labels.seatPrice ?? ''}
                  hint="In AU$, GST included; it replaces the discount."
                  inputMode="decimal"
                />
              </OnlyWith>
              {total && (
                <p aria-live="polite" className="tabular font-semibold sm:col-span-2">
                  {total}
                </p>
              )}
              <TextField form={form} name="name" label={labels.name ?? ''} required />
              <TextField form={form} name="email" label={labels.email ?? ''} type="email" required />
              <TextField
                form={form}
                name="organisation"
                label={labels.organisation ?? ''}
                hint="Empty: a person pays."
              />
              <TextField form={form} name="abn" label={labels.abn ?? ''} hint="Eleven digits." inputMode="numeric" />
              <TextField form={form} name="address" label={labels.address ?? ''} hint="As on the invoice." />
              <SelectField
                form={form}
                name="organisationId"
                label={labels.organisationId ?? ''}
                hint="Whose quote it is."
              >
                <Options none="None" of={loaderData.organisations} />
              </SelectField>
              <TextField form={form} name="lastDay" label={labels.lastDay ?? ''} type="date" required />
              <SelectField form={form} name="hold" label={labels.hold ?? ''} required>
                <Options
                  of={[
                    ['no', 'Not at all'],
                    ['two-days', 'For 48 hours'],
                    ['last-day', 'Until the last day'],
                  ]}
                />
              </SelectField>
            </div>
            <TextArea form={form} name="words" label={labels.words ?? ''} hint="On the quote, above the prices." />
            <div className="flex flex-wrap gap-3">
              <SendButton name="act" value="send" look="primary">
                Send it to the customer
              </SendButton>
              <SendButton name="act" value="draft">
                Save the draft
              </SendButton>
            </div>
            <p className="max-w-prose text-sm text-mute">
              Sent, a quote stays as it is: a change is a new version, which ends it. The customer gets an email with
              its link.
            </p>
          </ActForm>
        </>
      )}
    </>
  );
}
