# frozen_string_literal: true

# The life of a payment from Ruby 2.7 or later, with its standard library alone: create, pay, charge, refund, and check a
# webhook.
#
# CHECKOUT_URL names a Kassa, SHOP_KEY holds the secret key of a test merchant: ruby shop.rb

require 'json'
require 'net/http'
require 'openssl'
require 'securerandom'

URL = ENV.fetch('CHECKOUT_URL').chomp('/')
KEY = ENV.fetch('SHOP_KEY')
TRIES = 5

# What Kassa refused: its status, its code, and what is wrong with which field.
class KassaError < StandardError
  attr_reader :status, :code, :fields

  def initialize(status, text)
    body = text.start_with?('{') ? JSON.parse(text) : {}
    super("#{status} #{body['message'] || body['errors'] || text}")
    @status = status
    @code = body['code']
    @fields = body.fetch('errors', {})
  end
end

def send_once(method, path, headers, body)
  uri = URI(URL + path)
  request = Net::HTTPGenericRequest.new(method, !body.nil?, true, uri, headers)
  request.body = body
  options = { use_ssl: uri.scheme == 'https', open_timeout: 10, read_timeout: 40, max_retries: 0 }
  Net::HTTP.start(uri.host, uri.port, options) { |http| http.request(request) }
end

# Asks Kassa. What may have been done is repeated with the same key, so that nothing is done twice.
def ask(method, path, body = nil, key: nil)
  headers = { 'Authorization' => KEY, 'Content-Type' => 'application/json' }
  headers['Idempotency-Key'] = key || SecureRandom.uuid if method == 'POST'
  data = body.nil? ? nil : JSON.generate(body)
  (1..TRIES).each do |attempt|
    wait = 0.25 * 2**attempt
    begin
      answer = send_once(method, path, headers, data)
      status = answer.code.to_i
      text = answer.body.to_s
      return text.empty? ? nil : JSON.parse(text) if (200..299).cover?(status)

      passing = [409, 429].include?(status) || status >= 500
      raise KassaError.new(status, text) if !passing || attempt == TRIES

      wait += answer['Retry-After'].to_f
    rescue SystemCallError, SocketError, EOFError, Timeout::Error, OpenSSL::SSL::SSLError
      raise if attempt == TRIES
    end
    sleep(wait)
  end
end

# The event of a request that Kassa signed (Standard Webhooks). `body` are the bytes as they came.
def verify_webhook(secret, headers, body, now: Time.now)
  timestamp = headers.fetch('webhook-timestamp')
  raise ArgumentError, 'the request is too old' if (now.to_i - Integer(timestamp, 10)).abs > 300

  signed = "#{headers.fetch('webhook-id')}.#{timestamp}.".b + body.b
  digest = OpenSSL::HMAC.digest('SHA256', secret.delete_prefix('whsec_').unpack1('m0'), signed)
  ours = "v1,#{[digest].pack('m0')}"
  known = headers.fetch('webhook-signature').split.any? { |theirs| OpenSSL.secure_compare(ours, theirs) }
  raise ArgumentError, 'no signature is of this secret' unless known

  JSON.parse(body)
end

def main
  item = { reference: 'mug', name: 'Mug', quantity: 1, unit: 'pcs', unitPrice: 10_000 }
  item = item.merge(netTotalAmount: 10_000, grossTotalAmount: 10_000)
  order = { items: [item], amount: 10_000, currency: 'SEK', reference: 'order-1' }
  payment = ask('POST', '/v1/payments', { order: order, checkout: { url: 'https://shop.example' } })['paymentId']

  # In place of a consumer on the checkout's page; this call takes no key, and is one of the sandbox alone.
  ask('POST', "/v1/sandbox/payments/#{payment}/reserve", { card: '4925000000000004' })
  charge = ask('POST', "/v1/payments/#{payment}/charges", { amount: 10_000 }, key: 'order-1-parcel-1')['chargeId']
  same = ask('POST', "/v1/payments/#{payment}/charges", { amount: 10_000 }, key: 'order-1-parcel-1')['chargeId']
  puts "one charge for one key: #{charge == same}"
  ask('POST', "/v1/charges/#{charge}/refunds", { amount: 4_000 })
  begin
    ask('POST', "/v1/payments/#{payment}/charges", { amount: 1 })
  rescue KassaError => e
    puts "refused: #{e.status} #{e.code}"
  end
  puts JSON.generate(ask('GET', "/v1/payments/#{payment}")['payment']['summary'])
  return unless ENV.key?('WEBHOOK')

  sent = JSON.parse(ENV['WEBHOOK'].dup.force_encoding('UTF-8'))
  puts verify_webhook(sent['secret'], sent['headers'], sent['body'])['event']
  begin
    verify_webhook(sent['secret'], sent['headers'], "#{sent['body']} ")
  rescue ArgumentError => e
    puts e.message
  end
end

main if $PROGRAM_NAME == __FILE__
