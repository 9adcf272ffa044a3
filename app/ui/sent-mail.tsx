/** How far a mail is: handed over, still with us, or refused or come back. */
export type Sending = 'sent' | 'waits' | 'refused';

type Props = { sending: Sending; what: string; email: string; at?: string };

/** How far a mail is, for who waits for it: `what` such as `six digits`. No other place of a page says "we sent". */
export function SentMail({ sending, what, email, at }: Props) {
  const address = <b className="wrap-anywhere">{email}</b>;
  if (sending === 'waits') {
    return (
      <>
        We are sending {what} to {address}.
      </>
    );
  }
  return sending === 'sent' ? (
    <>
      We sent {what} to {address}
      {at && ` at ${at}`}.
    </>
  ) : (
    <>
      We could not deliver {what} to {address}: its mail server refused our email. Check the address, or use another.
    </>
  );
}
