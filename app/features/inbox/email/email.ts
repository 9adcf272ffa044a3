/** Longer words of an email are cut, and further files are not listed: its source has the whole. */
export const mostCharacters = 50_000;
export const mostFiles = 100;

/** An email that somebody wrote to the academy, as far as the program reads it. */
export type InboundEmail = {
  /** As the sender's program named it; null without a name that could be answered. */
  messageId: string | null;
  /** The emails that it answers or continues, by their Message-ID; the nearest first. */
  answers: readonly string[];
  /** Name and address as they stand in From and Reply-To; the address is not checked. */
  from: Correspondent | null;
  replyTo: Correspondent | null;
  subject: string;
  /** The text without markup; '' when it has none. */
  text: string;
  /** The Date header, unchanged: the sender's clock. */
  date: string;
  /** When the academy's mail server got it, by that server's clock (RFC 3339, UTC); null when it does not say. */
  receivedAt: string | null;
  files: readonly EmailFile[];
  /** A program wrote it, or a filter before us calls it spam. */
  automatic: boolean;
  /** The answer to an invitation of ours, with the UID of its calendar entry. */
  invitation: { answer: string; uid: string } | null;
  /** Other recipients, in To and Cc, without the academy's own addresses; not checked. */
  copies: readonly Correspondent[];
  /** The report of a mail server about an email of ours. */
  report: DeliveryReport | null;
};

export type Correspondent = { name: string; address: string };

export type EmailFile = { name: string; type: string; bytes: number };

/** An email could not be delivered for good; `reason` in the words of the server. */
export type DeliveryReport = { messageIds: readonly string[]; reason: string };

/** The tasks of the thread that reads emails, and its answers. */
export type EmailTask = { kind: 'read'; source: Uint8Array } | { kind: 'file'; source: Uint8Array; number: number };
export type EmailResults = {
  read: InboundEmail;
  /** Null: there is no such file. */
  file: { name: string; type: string; content: Uint8Array<ArrayBuffer> } | null;
};

/** Reads emails, away from the thread that serves. Rejects with an error when one cannot be read. */
export type EmailReader = {
  do<Task extends EmailTask>(task: Task): Promise<EmailResults[Task['kind']]>;
};
