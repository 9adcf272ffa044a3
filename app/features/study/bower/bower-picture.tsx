type Props = {
  /** Addresses of the two drawings. */
  wide: string;
  tall: string;
  sentence: string;
  /** Far down a page it may load late. */
  late?: boolean;
};

/** A bower as a picture: a wide drawing from 768 px on, a tall one below. It keeps its place before it has loaded. */
export function BowerPicture({ wide, tall, sentence, late = false }: Props) {
  return (
    <picture>
      <source media="(min-width: 48rem)" srcSet={wide} width={1440} height={864} />
      <img
        src={tall}
        alt={sentence}
        width={375}
        height={470}
        loading={late ? 'lazy' : undefined}
        className="mx-auto h-auto w-full max-w-[90rem]"
      />
    </picture>
  );
}
