import { Link } from "@remix-run/react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { ConfirmDevice, type TypedCode } from "./confirm-device.tsx";
import { EnterCode } from "./enter-code.tsx";

type Step = { kind: "enter" } | ({ kind: "confirm" } & TypedCode) | { kind: "approved" | "refused"; name: string };

/** Asks for the code, shows what waits behind it, and tells how it ended. */
export function SignInDevice() {
  const t = useMessages("device");
  const [step, setStep] = useState<Step>({ kind: "enter" });
  if (step.kind === "enter") {
    return (
      <EnterCode
        onFound={(typed) => {
          setStep({ kind: "confirm", ...typed });
        }}
      />
    );
  }
  if (step.kind === "confirm") {
    const { userCode, device } = step;
    return (
      <StepCard title={t("confirmTitle", { name: device.name })}>
        <ConfirmDevice
          userCode={userCode}
          device={device}
          onDecided={(kind) => {
            setStep({ kind, name: device.name });
          }}
          onLeave={() => {
            setStep({ kind: "enter" });
          }}
        />
      </StepCard>
    );
  }
  const isApproved = step.kind === "approved";
  return (
    <StepCard title={isApproved ? t("approvedTitle", { name: step.name }) : t("refusedTitle")}>
      <p className="text-muted">{t(isApproved ? "approvedHelp" : "refusedHelp")}</p>
      <Link to="/account" className={`${buttonClass("quiet")} mt-5`}>
        {t("account")}
      </Link>
    </StepCard>
  );
}

/** Its title gets the focus, because what had it before is gone. */
function StepCard({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, [title]);
  return (
    <Card>
      <h2 ref={heading} tabIndex={-1} className="mb-3 text-lg font-medium break-words outline-none">
        {title}
      </h2>
      {children}
    </Card>
  );
}
