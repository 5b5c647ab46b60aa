{{- define "kassa.labels" -}}
app.kubernetes.io/name: kassa
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "kassa.selector" -}}
app.kubernetes.io/name: kassa
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "kassa.image" -}}
{{ required "image.repository is missing: where your image of Kassa is" .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* What every pod has: an ordinary user, nothing to write to but an empty folder, no token of the cluster. */}}
{{- define "kassa.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: secrets
    secret: { secretName: {{ .Values.existingSecret | quote }}, defaultMode: 0440 }
  - name: data
    emptyDir: { sizeLimit: 64Mi }
  - name: tmp
    emptyDir: { sizeLimit: 64Mi }
{{- end }}

{{- define "kassa.container" -}}
image: {{ include "kassa.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: secrets, mountPath: /run/secrets/kassa, readOnly: true }
  - { name: data, mountPath: /var/lib/kassa }
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{/* Settings of service, worker and migration alike. */}}
{{- define "kassa.env" -}}
- { name: DATABASE_URL_FILE, value: /run/secrets/kassa/database-url }
- { name: KASSA_PUBLIC_URL, value: {{ required "publicUrl is missing: the address at which others reach Kassa" .Values.publicUrl | quote }} }
{{- if not (hasKey .Values.settings "KASSA_PRIVATE_HOOKS") }}
- { name: KASSA_PRIVATE_HOOKS, value: "off" }
{{- end }}
{{- if .Values.behindPooler }}
- { name: KASSA_DATABASE_DIRECT_URL_FILE, value: /run/secrets/kassa/database-direct-url }
{{- end }}
{{- if .Values.oidc.issuer }}
- { name: KASSA_OIDC_ISSUER, value: {{ .Values.oidc.issuer | quote }} }
- { name: KASSA_OIDC_CLIENT_ID, value: {{ .Values.oidc.clientId | quote }} }
- { name: KASSA_OIDC_CLIENT_SECRET_FILE, value: /run/secrets/kassa/oidc-client-secret }
{{- end }}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
