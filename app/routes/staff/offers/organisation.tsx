import { data, href, Link } from 'react-router';
import { findOrganisation } from '#app/features/companies/staff-queries.server.ts';
import { blankStaffForm, readHistory } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatAbn } from '#app/lib/abn.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, ButtonText, OnlyWith } from '#app/ui/staff/act-form.tsx';
import { actButton } from '#app/ui/staff/button.ts';
import { Section } from '#app/ui/staff/page-head.tsx';
import { RecordPage } from '#app/ui/staff/record-page.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Facts, History, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/organisation';
import { idOf, quoteName, stateWords } from './offer-words.ts';
import { takeGiving, takeManagerAct, takeOrganisation } from './organisation-acts.server.ts';
import { OrganisationFields, organisationLabels } from './organisation-fields.tsx';

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'companies:read');
  const { db } = context.get(academyContext);
  const found = await unlessDatabaseAway(async () => {
    const read = await findOrganisation(db, actor, idOf(id));
    return read && { ...read, history: await readHistory(db, actor, `organisation:${idOf(id)}`) };
  });
  if (!found) throw data('There is no such organisation.', { status: 404 });
  const { organisation, managers, offers, enrolments, history } = found;
  const shown = (text: string | null) => text && showControlCharacters(text);
  return {
    id,
    name: showControlCharacters(organisation.legal_name),
    facts: [
      ['Trading as', shown(organisation.trading_name)],
      ['ABN', organisation.abn && formatAbn(organisation.abn)],
      ['Known since', formatMoment(organisation.made_at)],
    ] as const,
    managers: managers.map((manager) => ({
      id: manager.id,
      name: shown(manager.name) ?? shown(manager.email) ?? '',
      email: shown(manager.email) ?? '',
      since: formatMoment(manager.since),
    })),
    offers: offers.map((offer) => ({
      id: String(offer.id),
      name: quoteName(offer),
      state: stateWords[offer.state]?.text ?? '',
      total: formatExact(offer.total_cents),
    })),
    enrolments: enrolments.map((one) => ({
      reference: one.reference,
      belongs: one.belongs,
      asked: one.asked_at !== null,
      text: `${one.title}, ${showControlCharacters(one.buyer_name)}, ${formatMoment(one.placed_at)}`,
    })),
    entries: history.entries,
    form: blankStaffForm(history.seen, {
      legalName: organisation.legal_name,
      tradingName: organisation.trading_name,
      abn: organisation.abn,
      mailDomains: organisation.mail_domains.join(', '),
      address: organisation.address,
      accountsEmail: organisation.accounts_email,
      termsDays: organisation.terms_days === null ? '' : String(organisation.terms_days),
      creditSeats: String(organisation.credit_seats),
      discountPercent: String(organisation.discount_percent),
      needsPurchaseOrder: organisation.needs_purchase_order ? 'on' : '',
      notes: organisation.notes,
    }),
  };
}

export async function action({ context, request, params: { id } }: Route.ActionArgs) {
  const actor = staffFor(context, 'companies:change');
  const academy = context.get(academyContext);
  const form = await readForm(request);
  const asked = { form, actor, id: idOf(id) };
  const act = String(form?.get('act'));
  const take = act.endsWith('-manager') ? takeManagerAct : act === 'change' ? takeOrganisation : takeGiving;
  const result = await take(academy, asked);
  return answerForm(result, href('/staff/organisations/:id', { id }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) => staffMeta(loaderData?.name ?? 'Organisation');

const needs = 'companies:change';

export default function Organisation({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, facts, managers, offers, enrolments, entries } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <RecordPage
      back={{ to: href('/staff/organisations'), text: 'Organisations' }}
      title={name}
      pill={null}
      line={null}
      form={form}
      labels={{ ...organisationLabels, email: 'Email of the manager', reference: 'Another enrolment' }}
      needs={needs}
      about="About this organisation"
      aside={
        <>
          <Facts facts={facts} />
          <p>
            <TextLink to={href('/staff/organisations/:id/page', { id })}>Its page, as its managers see it</TextLink>
          </p>
          <OnlyWith permission={needs}>
            <p>
              <Link to={`${href('/staff/offers/new')}?organisation=${id}`} className={actButton.primary}>
                Make a quote
              </Link>
            </p>
            <p>
              <TextLink to={href('/staff/organisations/:id/join', { id })}>Join another into it</TextLink>
            </p>
          </OnlyWith>
          <Section title="Managers">
            {managers.length === 0 && <Words>None yet. Two are best.</Words>}
            <ul>
              {managers.map((manager) => (
                <li key={manager.id} className="grid gap-1 border-b border-line py-2">
                  <span className="wrap-anywhere">
                    <b>{manager.name}</b> {manager.name !== manager.email && manager.email}
                    <span className="block text-sm text-mute">since {manager.since}</span>
                  </span>
                  <ActForm
                    act="end-manager"
                    id={null}
                    form={form}
                    needs={needs}
                    carries={{ manager: manager.id }}
                    look="danger"
                    submit={<ButtonText about={manager.name}>End</ButtonText>}
                  />
                </li>
              ))}
            </ul>
            <ActForm act="add-manager" form={form} needs={needs} className="mt-3 grid gap-3" submit="Name a manager">
              <TextField
                form={form}
                name="email"
                label="Email of the manager"
                hint="They have proved it, by logging in or by a code."
                type="email"
                required
              />
            </ActForm>
          </Section>
          <History entries={entries} />
        </>
      }
    >
      <Section title="Quotes">
        {offers.length === 0 && <Words>None.</Words>}
        <ul>
          {offers.map((offer) => (
            <li key={offer.id} className="tabular flex flex-wrap justify-between gap-x-4 border-b border-line py-1.5">
              <TextLink to={href('/staff/offers/:id', { id: offer.id })}>{offer.name}</TextLink>
              <span className="text-mute">{offer.state}</span>
              <span>{offer.total}</span>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Its enrolments" beside="its managers see and change them">
        <Enrolments rows={enrolments.filter(({ belongs }) => belongs)} act="take-back" form={form} />
        <ActForm act="give" form={form} needs={needs} className="mt-3 grid gap-3" submit="Give it to them">
          <TextField
            form={form}
            name="reference"
            label="Another enrolment"
            hint="Such as BB-7KQ2MX. Ask its buyer first."
            required
          />
        </ActForm>
      </Section>
      {enrolments.some(({ belongs }) => !belongs) && (
        <Section title="Not its own yet" beside="under its ABN, or by its quotes; only their buyers see them">
          <Enrolments rows={enrolments.filter(({ belongs }) => !belongs)} act="give" form={form} />
        </Section>
      )}
      <Section title="What is agreed">
        <ActForm act="change" form={form} needs={needs} className="mt-3 grid gap-4" submit="Save" look="primary">
          <OrganisationFields form={form} />
        </ActForm>
      </Section>
    </RecordPage>
  );
}

type Enrolment = Route.ComponentProps['loaderData']['enrolments'][number];
type RowsProps = { rows: readonly Enrolment[]; act: 'give' | 'take-back'; form: FormState };

function Enrolments({ rows, act, form }: RowsProps) {
  if (rows.length === 0) return <Words>None.</Words>;
  return (
    <ul>
      {rows.map(({ reference, text, asked }) => (
        <li key={reference} className="tabular flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-1.5">
          <span className="min-w-0 flex-1 basis-60">
            <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>{' '}
            <span className="text-mute">{text}</span>
            {asked && <b> asks for it</b>}
          </span>
          <ActForm
            act={act}
            id={null}
            form={form}
            needs={needs}
            carries={{ reference }}
            submit={<ButtonText about={reference}>{act === 'give' ? 'Give' : 'Take back'}</ButtonText>}
          />
        </li>
      ))}
    </ul>
  );
}
