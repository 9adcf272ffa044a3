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
      'Whoever has a link can open what it leads to, so keep this e-mail to yourself. Earlier links still work. Did you not ask for this? Then do nothing: the links went only to you.',
    ],
    academy,
    reason: 'You get this because somebody asked for the links of this address on our site.',
  });
}
