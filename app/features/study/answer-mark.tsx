type Mark = { accepted: boolean; by: string | null; at: string; comment: string | null };

/** An instructor's mark of an exercise (P60), for its learner and staff. */
export function AnswerMark({ mark: { accepted, by, at, comment } }: { mark: Mark }) {
  return (
    <div>
      <p className="text-sm">
        <b>{accepted ? 'Accepted' : 'Not yet'}</b>{' '}
        <span className="tabular text-mute">
          {by}, {at}
        </span>
      </p>
      {comment && <p className="whitespace-pre-wrap wrap-anywhere">{comment}</p>}
    </div>
  );
}
