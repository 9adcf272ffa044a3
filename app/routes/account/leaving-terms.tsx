const goes = [
  'your logins and passkeys, on every browser',
  'your name and email addresses',
  'your bower',
  'what you wrote in exercises, messages and chats',
  'bookings and places on waiting lists: they are cancelled',
  'copies of the emails we sent you',
];

const stays = [
  'Invoices, adjustment notes and payments stay for seven years, because the law says so. They keep the name of the buyer.',
  'The number of a certificate goes on saying whether we issued it and whether it holds. It no longer shows your name.',
  'Days attended and points stay without your name.',
  'If you do not want our news, we remember that for your address, in a form that nobody can read, so that we never send you any.',
];

/**
 * The records that are deleted with an account and those that stay (P58). `running` are the enrolments that are not
 * over, and those that the person bought on which money is or may still be owed.
 */
export function LeavingTerms({ running }: { running: readonly { reference: string; title: string }[] }) {
  return (
    <>
      <p className="mt-4">
        We close your account at once and log out every browser. We email all of its addresses. After seven days we
        delete it. Until then you can log in, or use the link in the email, and keep it.
      </p>
      <h2 className="mt-8 text-2xl">What goes</h2>
      <List lines={goes} />
      <h2 className="mt-8 text-2xl">What stays</h2>
      <List lines={stays} />
      {running.length > 0 && (
        <>
          <h2 className="mt-8 text-2xl">Your enrolments go on</h2>
          <p className="mt-3">
            These are not over, or money is owed, or we may still owe you money. You keep your places, you still owe
            what is not paid, and we still owe you what we have to refund. The links in our emails go on working. Your
            name and address stay with them until they are over and nothing is owed, and until a seat that you cancelled
            can no longer be sold again. Then we delete those too. If money stays owed, we keep them for seven years. To
            give a place up, cancel it first.
          </p>
          <List lines={running.map(({ reference, title }) => `${title}, ${reference}`)} />
        </>
      )}
    </>
  );
}

const List = ({ lines }: { lines: readonly string[] }) => (
  <ul className="mt-3 grid list-disc gap-1.5 pl-5 marker:text-edge">
    {lines.map((line) => (
      <li key={line} className="wrap-anywhere">
        {line}
      </li>
    ))}
  </ul>
);
