import { href } from 'react-router';
import { TextLink } from '#app/ui/staff/typography.tsx';

type Props = {
  takesEmail: boolean;
  /** To which people write, and answer our emails. */
  address: string;
  lastAt: string | null;
};

/** Where what people write to us arrives, and when the last email did. */
export function ArrivingMail({ takesEmail, address, lastAt }: Props) {
  const list = <TextLink to={`${href('/staff/enquiries')}?kind=email`}>the messages</TextLink>;
  return (
    <section aria-labelledby="arriving-mail" className="mb-8">
      <h2 id="arriving-mail" className="border-b border-rule pb-1.5 text-lg">
        Arriving
      </h2>
      {takesEmail ? (
        <p className="mt-2 max-w-prose text-mute">
          What people write to {address} is among {list} and in the inbox.{' '}
          {lastAt ? `The last email came on ${lastAt}.` : 'None has come yet.'}
        </p>
      ) : (
        <p className="mt-2 max-w-prose text-mute">
          What people write to {address}, and how they answer our emails, is in that mailbox only: the mail server does
          not hand it over to this program yet.
        </p>
      )}
    </section>
  );
}
