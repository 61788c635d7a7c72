import { UploadCard } from "#app/components/upload-card/upload-card.tsx";
import { useAuthAddress } from "#app/use-auth-address.ts";
import { limitFor } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";

export default function Home() {
  useAuthAddress();
  return (
    <div className="mx-auto grid max-w-6xl items-center gap-10 px-4 py-8 sm:px-6 lg:grid-cols-[1fr_27rem] lg:gap-16 lg:py-20">
      <div className="order-last lg:order-first">
        <h1 className="font-display text-4xl leading-[1.08] font-semibold tracking-tight text-balance sm:text-5xl xl:text-[3.5rem]">
          Send a file. <br />
          Say when it’s gone.
        </h1>
        <p className="mt-5 max-w-prose text-lg text-muted">
          Drop a file of up to {formatBytes(limitFor("free").fileSizeBytes)} for free and get a link at once — it works
          from the first byte. When its time is up, the file is gone: to the second, for everyone.
        </p>
        <dl className="mt-10 grid gap-6 sm:grid-cols-3">
          <Promise title="A link from byte one">
            Send it before the upload is done. Whoever opens it sees it arrive.
          </Promise>
          <Promise title="Gone on time">From three minutes to as long as you like. Then nobody can read it.</Promise>
          <Promise title="Bad Wi-Fi is fine">
            Files travel in parts. A part that fails goes again, and only that part.
          </Promise>
        </dl>
      </div>
      <UploadCard />
    </div>
  );
}

function Promise({ title, children }: { title: string; children: string }) {
  return (
    <div className="border-l-2 border-amber pl-4">
      <dt className="font-medium">{title}</dt>
      <dd className="mt-1 text-sm text-muted">{children}</dd>
    </div>
  );
}
