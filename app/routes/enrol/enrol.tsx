import { useEffect, useRef, useState } from 'react';
import { data, Form, href, Link, useNavigation } from 'react-router';
import { FormFoot, PersonFields, personLabels } from '#app/features/enquiries/form-parts.tsx';
import { OfferSummary } from '#app/features/enquiries/offer-summary.tsx';
import { type Offer, offerLine, offersOf } from '#app/features/enquiries/offers.ts';
import {
  clientAddressContext,
  enquiriesContext,
  redirectToSent,
  submitEnquiry,
} from '#app/features/enquiries/submit.server.ts';
import { isRunning } from '#app/features/promotions/rules.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { clockContext } from '#app/http/context.ts';
import { freshForm, readForm } from '#app/http/forms.server.ts';
import { dayIn } from '#app/lib/dates.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { SelectField, TextArea, TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/enrol';

function currentOffers(context: Route.LoaderArgs['context']) {
  const snapshot = context.get(snapshotContext).current();
  const now = context.get(clockContext).now();
  const promotionRuns = isRunning(snapshot.promotion, now);
  return offersOf(snapshot, { today: dayIn('Australia/Brisbane', now), promotionRuns });
}

export function loader({ context, url }: Route.LoaderArgs) {
  const offers = currentOffers(context);
  const asked = ['session', 'course', 'combo'].map((kind) => `${kind}:${url.searchParams.get(kind)}`);
  const item = offers.find((offer) => asked.includes(offer.item))?.item ?? '';
  return { offers, form: freshForm(context.get(enquiriesContext).forms, { item, attendees: '1', payer: 'myself' }) };
}

export async function action({ context, request }: Route.ActionArgs) {
  const offers = currentOffers(context);
  const enquiries = context.get(enquiriesContext);
  const result = await submitEnquiry(enquiries, {
    form: await readForm(request),
    kind: 'enrolment',
    address: context.get(clientAddressContext),
    isOffered: (item) => offers.some((offer) => offer.item === item),
    // What it was called and cost when it was asked for stands in the request, whatever changes later.
    remarks: ({ item }) => {
      const { label = '', priceCents = 0 } = offers.find((offer) => offer.item === item) ?? {};
      return { label, priceCents };
    },
  });
  if (result.ok) throw redirectToSent(enquiries, result.reference);
  return data({ form: result.form }, { status: result.status });
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export function headers() {
  return { 'Cache-Control': 'no-store' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Enrol',
    'Ask for a place on a course, a training session or a combo: staff confirm it within one business day.',
  );

const labels = {
  ...personLabels,
  item: 'Course, session or combo',
  attendees: 'Number of attendees',
  payer: 'Who pays',
  company: 'Organisation',
};
const formId = 'enrolment';
const groups = ['Training sessions', 'Courses', 'Combos'] as const;

export default function Enrol({ loaderData, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <PageHead
        title="Enrol"
        lead="Ask for a place. Staff confirm it and send the tax invoice within one business day; nothing is owed until they do."
      />
      <EnrolmentForm key={loaderData.form.values.item} form={form} offers={loaderData.offers} />
    </>
  );
}

/** What is being asked for, then the form; on wide screens it stands beside the form. */
function EnrolmentForm({ form, offers }: { form: FormState; offers: Offer[] }) {
  const sending = useNavigation().state === 'submitting';
  const box = useRef<HTMLFormElement>(null);
  const [item, setItem] = useState(form.values.item ?? '');
  const [attendees, setAttendees] = useState(Number(form.values.attendees) || 1);

  function read(fields: HTMLFormElement) {
    const values = new FormData(fields);
    setItem(String(values.get('item')));
    setAttendees(Number(values.get('attendees')) || 1);
  }

  // What was chosen before React came counts as well.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when React comes
  useEffect(() => {
    if (box.current) read(box.current);
  }, []);

  function choose(wanted: string) {
    const field = box.current?.elements.namedItem('item');
    if (field instanceof HTMLSelectElement) field.value = wanted;
    setItem(wanted);
  }

  return (
    <div className="page grid gap-x-14 gap-y-8 py-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:py-16">
      <aside aria-label="What you are asking for" className="lg:order-last">
        <div className="lg:sticky lg:top-6">
          <OfferSummary
            chosen={offers.find((offer) => offer.item === item)}
            attendees={attendees}
            dates={offers.filter(({ date }) => date?.course === item)}
            onChoose={choose}
          />
        </div>
      </aside>
      <div>
        <ErrorSummary form={form} labels={labels} formId={formId} />
        <Form
          ref={box}
          id={formId}
          method="post"
          action={href('/enrol')}
          noValidate
          className="relative grid gap-5"
          onChange={(event) => read(event.currentTarget)}
        >
          <OfferSelect form={form} offers={offers} />
          <TextField
            form={form}
            name="attendees"
            label={labels.attendees}
            type="number"
            inputMode="numeric"
            min={1}
            max={50}
            required
          />
          <PersonFields form={form} />
          <SelectField form={form} name="payer" label={labels.payer} required>
            <option value="myself">I pay myself</option>
            <option value="employer">My employer or another organisation pays</option>
          </SelectField>
          <TextField
            form={form}
            name="company"
            label={labels.company}
            hint="Needed only when an organisation pays: the tax invoice goes to it."
            autoComplete="organization"
          />
          <TextArea form={form} name="message" label="Anything we should know" />
          <div className="rounded-card border border-line bg-card p-5">
            <h2 className="text-lg">Before you send</h2>
            <p className="mt-2 text-mute">
              You pay by bank transfer on a tax invoice; write your purchase order number above if there is one. The
              full price comes back if you withdraw 14 days or more before the first day, half of it from 13 to 7 days,
              and nothing after that. One move to another date, and a change of person, is free until the course begins.
              It stands in full in the{' '}
              <Link to={href('/terms')} className="font-bold text-link underline underline-offset-4">
                terms
              </Link>
              .
            </p>
          </div>
          <FormFoot form={form} />
          <div>
            <button type="submit" disabled={sending} className={button.primary}>
              {sending ? 'Sending' : 'Send my request'}
            </button>
          </div>
        </Form>
      </div>
    </div>
  );
}

function OfferSelect({ form, offers }: { form: FormState; offers: Offer[] }) {
  return (
    <SelectField form={form} name="item" label={labels.item} required>
      <option value="">Choose one</option>
      {groups.map((group) => (
        <optgroup key={group} label={group}>
          {offers
            .filter((offer) => offer.group === group)
            .map((offer) => (
              <option key={offer.item} value={offer.item}>
                {offerLine(offer)}
              </option>
            ))}
        </optgroup>
      ))}
    </SelectField>
  );
}
