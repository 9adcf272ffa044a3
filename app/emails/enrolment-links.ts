import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  links: readonly { reference: string; title: string; href: string; whose: 'buyer' | 'attendee' }[];
  academy: MailAcademy;
};

/** The private links of an address, because somebody asked for them (P32). */
export function enrolmentLinks({ links, academy }: Props): RenderedMail {
  return renderMail({
    subject: 'Your enrolment links',
    heading: 'Your enrolment links',
    parts: [
      ...links.flatMap(({ reference, title, href, whose }) => [
        { heading: `${title}, ${reference}` },
        { action: whose === 'buyer' ? 'See your enrolment' : 'See your place', href },
      ]),
      'Anyone with a link can open its page, so keep this email private. Earlier links still work. If you did not ask for this, do nothing: we sent the links only to you.',
    ],
    academy,
    reason: 'You get this because someone asked our website for the links of this address.',
  });
}
