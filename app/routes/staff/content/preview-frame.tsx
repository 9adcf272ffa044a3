import { TextLink } from '#app/ui/staff/parts.tsx';

/** The public page with the draft laid over it, in a frame of its own; wide or as wide as a phone. */
export function Preview({ address, page }: { address: string; page: string | null }) {
  return (
    <section aria-labelledby="preview-title" className="group min-w-0 lg:sticky lg:top-16">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-4">
        <h2 id="preview-title" className="text-lg">
          Preview
        </h2>
        <p className="text-sm text-mute">
          {page ? (
            <>
              The draft over the page as published, <TextLink to={page}>{page}</TextLink>
            </>
          ) : (
            'The page that the draft makes'
          )}
        </p>
        <fieldset className="ml-auto flex gap-4 text-sm">
          <legend className="sr-only">Width of the preview</legend>
          {['Wide', 'Phone'].map((width) => (
            <label key={width} className="flex items-center gap-1.5">
              <input type="radio" name="preview-width" id={`preview-${width}`} defaultChecked={width === 'Wide'} />
              {width}
            </label>
          ))}
        </fieldset>
      </div>
      <iframe
        name="preview"
        src={address}
        title="Preview of the page"
        // Without scripts, so that typed text cannot run.
        sandbox="allow-same-origin allow-popups"
        className="h-[75vh] w-full rounded-2xl border border-line bg-card group-has-[#preview-Phone:checked]:mx-auto group-has-[#preview-Phone:checked]:block group-has-[#preview-Phone:checked]:w-[375px]"
      />
    </section>
  );
}
