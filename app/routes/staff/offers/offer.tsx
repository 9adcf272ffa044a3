import { data, href, Link } from 'react-router';
import { termsToAccept } from '#app/features/catalogue/site/terms.ts';
import { mayBe, stateOn } from '#app/features/companies/rules.ts';
import { findOfferForStaff } from '#app/features/companies/staff-queries.server.ts';
import { quoteOfPrices } from '#app/features/money/pricing.ts';
import { blankStaffForm, readHistory } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatAbn } from '#app/lib/abn.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { formatEnd, formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { TextArea } from '#app/ui/form-fields.tsx';
import { ActForm, OnlyWith } from '#app/ui/staff/act-form.tsx';
import { actButton } from '#app/ui/staff/button.ts';
import { Section } from '#app/ui/staff/page-head.tsx';
import { RecordPage } from '#app/ui/staff/record-page.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Facts, FileLink, History, Pill, Table, TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/offer';
import { takeOfferAct } from './offer-acts.server.ts';
import { idOf, quoteName, stateWords } from './offer-words.ts';

export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = staffFor(context, 'companies:read');
  const { db, clock } = context.get(academyContext);
  const id = idOf(params.id);
  const found = await unlessDatabaseAway(async () => {
    const offer = await findOfferForStaff(db, actor, id);
    return offer && { ...offer, history: await readHistory(db, actor, `offer:${id}`) };
  });
  if (!found) throw data('There is no such quote. It may have been deleted.', { status: 404 });
  const { offer, enrolment, versions, held, history, request } = found;
  const shown = (text: string | null) => text && showControlCharacters(text);
  const quote = quoteOfPrices(
    offer.lines.map(({ price }) => price),
    offer.people,
  );
  const state = stateOn(offer, academyToday(clock));
  const [firstHold] = held;
  return {
    id: params.id,
    name: quoteName(offer),
    sent: offer.number !== null,
    state,
    may: {
      send: mayBe(offer.state, 'send'),
      change: mayBe(offer.state, 'change'),
      version: mayBe(offer.state, 'new-version'),
      decline: mayBe(state, 'decline'),
    },
    customer: shown(offer.organisation ?? offer.name) ?? '',
    lines: offer.lines.map(({ slug, title, choice, price }, at) => ({
      slug,
      title,
      when:
        offer.facts?.lines[at]?.detail ??
        (choice.way === 'guided'
          ? `Guided, from ${formatDay(choice.from)}`
          : choice.way === 'date'
            ? 'On a date'
            : 'On its next date'),
      each: formatExact(price.priceCents - price.discountCents),
      discount: price.discount,
      amount: formatExact((price.priceCents - price.discountCents) * offer.people),
    })),
    total: formatExact(quote.totalCents),
    gst: formatExact(quote.gstCents),
    facts: [
      ['To', shown(offer.name)],
      ['Email', shown(offer.email)],
      ['Organisation', shown(offer.organisation)],
      ['ABN', offer.abn && formatAbn(offer.abn)],
      ['Address', shown(offer.address)],
      ['People', String(offer.people)],
      ['Made by', offer.madeBy === null ? 'the customer' : 'staff'],
      ['Made', formatMoment(offer.madeAt)],
      ['Sent', offer.sentAt && formatMoment(offer.sentAt)],
      ['Last day', formatDay(offer.lastDay)],
      ['Seats held until', firstHold ? (firstHold.expires_at ? formatEnd(firstHold.expires_at) : 'we end it') : null],
      ['Ended', offer.endedAt && formatMoment(offer.endedAt)],
      ['Answer', shown(offer.answer)],
      ['Words to them', shown(offer.words)],
      ['Asked for by', request && `${shown(request.name)}, ${shown(request.email)}`],
      ['Their question', request && shown(request.question)],
      ['What came of it', request && shown([request.asker_answer, request.employer_answer].filter(Boolean).join('\n'))],
    ] as const,
    organisation: offer.organisationId === null ? null : String(offer.organisationId),
    enrolment: enrolment && { reference: enrolment.reference, buyer: shown(enrolment.buyer_name) ?? '' },
    versions: versions.map((one) => ({
      id: String(one.id),
      version: one.version,
      state: stateWords[one.state]?.text ?? '',
    })),
    entries: history.entries,
    form: blankStaffForm(history.seen),
  };
}

export async function action({ context, request, params: { id } }: Route.ActionArgs) {
  const actor = staffFor(context, 'companies:change');
  const termsId = termsToAccept(context.get(snapshotContext).current());
  const form = await readForm(request);
  const result = await takeOfferAct(context.get(academyContext), { form, actor, termsId, id: idOf(id) });
  return answerForm(result, form?.get('act') === 'delete' ? href('/staff/offers') : href('/staff/offers/:id', { id }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) => staffMeta(loaderData?.name ?? 'Quote');

const needs = 'companies:change';

export default function Offer({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, sent, state, may, customer, lines, total, gst, facts, organisation, enrolment, versions, entries } =
    loaderData;
  const form = actionData?.form ?? loaderData.form;
  const word = stateWords[state];
  return (
    <RecordPage
      back={{ to: href('/staff/offers'), text: 'Quotes' }}
      title={name}
      pill={word && <Pill look={word.look}>{word.text}</Pill>}
      line={customer}
      form={form}
      labels={{ answer: 'Their words' }}
      needs={needs}
      what="send and change it"
      about="About this quote"
      aside={
        <>
          <Facts
            facts={[
              ...facts,
              [
                'Record',
                organisation && (
                  <TextLink to={href('/staff/organisations/:id', { id: organisation })}>The organisation</TextLink>
                ),
              ],
              [
                'Enrolment',
                enrolment && (
                  <TextLink to={href('/staff/enrolments/:reference', { reference: enrolment.reference })}>
                    {`${enrolment.reference}, ${enrolment.buyer}`}
                  </TextLink>
                ),
              ],
              ['Quote', sent && <FileLink to={href('/staff/offers/:id/quote.pdf', { id })}>PDF</FileLink>],
            ]}
          />
          {may.send && (
            <ActForm
              act="send"
              form={form}
              needs={needs}
              stays={false}
              look="primary"
              submit="Send it to the customer"
            />
          )}
          <OnlyWith permission={needs}>
            {may.change && (
              <p>
                <Link to={`${href('/staff/offers/new')}?draft=${id}`} className={actButton.quiet}>
                  Change the draft
                </Link>
              </p>
            )}
            {may.version && (
              <p>
                <Link to={`${href('/staff/offers/new')}?replaces=${id}`} className={actButton.quiet}>
                  Make a new version
                </Link>
              </p>
            )}
          </OnlyWith>
          {may.decline && (
            <ActForm act="decline" form={form} needs={needs} look="danger" submit="Decline it for them">
              <TextArea form={form} name="answer" label="Their words" />
            </ActForm>
          )}
          {may.send && (
            <ActForm act="delete" form={form} needs={needs} stays={false} look="danger" submit="Delete the draft" />
          )}
        </>
      }
    >
      <Section title="What it is for">
        <Table head={['Course', 'When', { text: 'Each', right: true }, { text: 'Amount', right: true }]} label="Lines">
          {lines.map((line) => (
            <tr key={line.slug}>
              <td>
                {line.title}
                {line.discount && <span className="block text-sm text-mute">{line.discount}</span>}
              </td>
              <td>{line.when}</td>
              <td className="text-right">{line.each}</td>
              <td className="text-right">{line.amount}</td>
            </tr>
          ))}
          <tr>
            <td colSpan={3}>Total incl. GST of {gst}</td>
            <td className="text-right font-semibold">{total}</td>
          </tr>
        </Table>
      </Section>
      {versions.length > 0 && (
        <Section title="Other versions">
          <ul>
            {versions.map((one) => (
              <li key={one.id} className="border-b border-line py-1.5">
                <TextLink to={href('/staff/offers/:id', { id: one.id })}>{`Version ${one.version}`}</TextLink>{' '}
                <span className="text-mute">{one.state}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <History entries={entries} />
    </RecordPage>
  );
}
