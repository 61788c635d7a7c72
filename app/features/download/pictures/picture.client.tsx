import { useContext, useEffect, useState, type ImgHTMLAttributes, type ReactNode } from "react";
import { SealedPageContext } from "../sealed/sealed-context.ts";

/**
 * @param url of a tile or view
 * @returns what an `<img>` shows: on the page of a sealed link an object URL, revoked when the component is gone
 */
function usePictureUrl(url: string, onError: () => void): string | undefined {
  const sealed = useContext(SealedPageContext);
  const [opened, setOpened] = useState<{ of: string; url: string } | null>(null);
  const open = sealed?.openPicture;
  useEffect(() => {
    if (!open) return;
    const life = new AbortController();
    let objectUrl: string | null = null;
    open(url, life.signal).then(
      (picture) => {
        if (life.signal.aborted) return;
        if (!picture) {
          onError();
          return;
        }
        objectUrl = URL.createObjectURL(picture);
        setOpened({ of: url, url: objectUrl });
      },
      () => {
        if (!life.signal.aborted) onError();
      },
    );
    return () => {
      life.abort();
      if (objectUrl !== null) URL.revokeObjectURL(objectUrl);
      setOpened(null);
    };
    // The picture is opened once per URL: a new list of files brings a new function for the same pictures.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [url, open === undefined]);
  if (!open) return url;
  return opened?.of === url ? opened.url : undefined;
}

interface PictureProps extends Omit<ImgHTMLAttributes<HTMLImageElement>, "src" | "onError"> {
  /** Of a tile or view, as of a plain link. */
  url: string;
  alt: string;
  /** Shown if there is no such picture, or if it is not what the sender encrypted. */
  instead: ReactNode;
}

/** A file's tile or view. The page of a sealed link decrypts it. */
export default function Picture({ url, alt, instead, ...rest }: PictureProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const fail = () => setBroken(url);
  const shown = usePictureUrl(url, fail);
  if (broken === url) return instead;
  return <img {...rest} src={shown} alt={alt} draggable={false} onError={fail} />;
}
