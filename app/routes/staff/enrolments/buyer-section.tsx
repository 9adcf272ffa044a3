import { href } from 'react-router';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';
import { ActLink, EmailText, TextLink } from '#app/ui/staff/typography.tsx';
import { enrolmentList } from './enrolment-filter.ts';
import type { ShownEnrolment } from './shown-enrolment.server.ts';

/** The buyer, the payer and the accepted terms. */
export function BuyerSection({ enrolment }: { enrolment: ShownEnrolment }) {
  const { reference, facts, others, termsId, placed, email } = enrolment;
  const rows: (readonly [string, React.ReactNode])[] = [
    ...facts.map(
      ([label, text]) => [label, label === 'Email' ? <EmailText key="email">{text}</EmailText> : text] as const,
    ),
    ['Placed', placed],
    [
      'Other enrolments',
      others > 0 ? (
        <TextLink key="others" to={`${enrolmentList.path}?${new URLSearchParams({ search: email })}`}>
          {others}
        </TextLink>
      ) : (
        'none'
      ),
    ],
    [
      'Terms',
      <TextLink key="terms" to={href('/staff/terms/:id', { id: termsId })}>
        as accepted
      </TextLink>,
    ],
  ];
  return (
    <Section
      title="Buyer"
      end={
        <OnlyWith permission="enrolments:change">
          <ActLink to={href('/staff/enrolments/:reference/buyer', { reference })}>Correct</ActLink>
        </OnlyWith>
      }
    >
      <dl className="grid gap-x-8 pt-2 sm:grid-cols-2">
        {rows.map(([label, value]) => (
          <div key={label} className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-3 py-1">
            <dt className="text-mute">{label}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
