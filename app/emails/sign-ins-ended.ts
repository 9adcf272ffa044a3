import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** Such as `you asked us to`, after “because”. */
  reason: string;
  when: string;
  academy: MailAcademy;
};

/** Tells a person that an owner of the academy ended all their logins. */
export function signInsEnded({ reason, when, academy }: Props): RenderedMail {
  return renderMail({
    subject: 'We logged you out everywhere',
    heading: 'We logged you out everywhere',
    parts: [
      `On ${when}, Brisbane time, the academy ended all your logins, because ${reason}.`,
      'Nothing else of your account changed. You can log in again as always.',
      'If you did not expect this, answer this email or call us.',
    ],
    academy,
    reason: 'You get this because somebody was logged in with your email address.',
  });
}
