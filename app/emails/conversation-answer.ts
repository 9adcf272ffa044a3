import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

/** Tells a visitor that staff answered in a conversation. It quotes no message: anyone may have typed the address. */
export function conversationAnswer({ link, academy }: { link: string; academy: MailAcademy }): RenderedMail {
  return renderMail({
    subject: 'Staff have answered in your chat',
    heading: 'Staff have answered in your chat',
    parts: [
      'You had left the page when the answer came. You can read it there and write back.',
      { action: 'Read the answer', href: link },
      'Whoever has this link can read the conversation, so keep it to yourself.',
    ],
    academy,
    reason: 'You get this because this address was given in a chat on our website. We send at most one an hour.',
  });
}
